import { fail, ok, type Result } from "../../base/result.ts";

/** The system's name for an error, such as `ENOSPC`. */
export type Errno = string;

/** The system's name for a thrown error, or `undefined` if it is not a system error. */
export function errnoOf(thrown: unknown): Errno | undefined {
  if (!(thrown instanceof Error) || !("code" in thrown)) return undefined;
  // Node's own errors about arguments are named ERR_…; those are bugs of ours.
  const { code } = thrown;
  return typeof code === "string" && /^E(?!RR_)[A-Z0-9]+$/.test(code) ? code : undefined;
}

/** Runs a system call of Node and returns a system error as a failure; any other error is rethrown. */
export function attempt<T>(call: () => T): Result<T, Errno> {
  try {
    return ok(call());
  } catch (thrown) {
    const errno = errnoOf(thrown);
    if (errno === undefined) throw thrown;
    return fail(errno);
  }
}
