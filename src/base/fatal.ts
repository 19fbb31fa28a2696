import { fail, ok, type Result } from "./result.ts";

/** A failure of the world, with its `kind`. */
export interface WorldFailure {
  readonly kind: string;
}

/**
 * The world refuses what this process cannot go on without (a full disk, a broken repository). It
 * ends here, with its open unit on record, says why through the one renderer of words, and is
 * started again by its supervisor. Where there is something better to do, the `Result` is looked at.
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
 * What came of a step, where whoever asks goes on without it: what would end this process is a failure again.
 * Own mistakes are thrown on.
 */
export async function attempted<T>(step: () => T | Promise<T>): Promise<Result<T, WorldFailure>> {
  try {
    return ok(await step());
  } catch (thrown) {
    if (thrown instanceof CannotGoOn) return fail(thrown.failure);
    throw thrown;
  }
}

/** The value, or the end of this process. */
export function need<T>(result: Result<T, WorldFailure>): T {
  if (result.ok) return result.value;
  throw new CannotGoOn(result.failure);
}
