import { fail, ok, type Result } from "./result.ts";

/** A failure of the outside world, with its `kind`. */
export interface WorldFailure {
  readonly kind: string;
}

/**
 * The process cannot continue without something that failed (a full disk, a broken repository). The process ends
 * here with its open unit on record, explains the failure with `explain`, and is restarted by its supervisor.
 * Callers that can do something better inspect the `Result`.
 */
export class CannotGoOn extends Error {
  override readonly name = "CannotGoOn";
  readonly failure: WorldFailure;

  constructor(failure: WorldFailure) {
    super(JSON.stringify(failure));
    this.failure = failure;
  }
}

/**
 * Runs a step that the caller can do without: a failure that would end the process is returned. Assertion failures
 * are rethrown.
 */
export async function attempted<T>(step: () => T | Promise<T>): Promise<Result<T, WorldFailure>> {
  try {
    return ok(await step());
  } catch (thrown) {
    if (thrown instanceof CannotGoOn) return fail(thrown.failure);
    throw thrown;
  }
}

/** Returns the value, or ends this process. */
export function need<T>(result: Result<T, WorldFailure>): T {
  if (result.ok) return result.value;
  throw new CannotGoOn(result.failure);
}
