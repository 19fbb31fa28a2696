import { fail, ok, type Result } from "../../base/result.ts";

/** The system's name of an error, such as `ENOSPC`. */
export type Errno = string;

/** The system's name of what `call` threw, or `undefined` when the system had no part in it. */
export function errnoOf(thrown: unknown): Errno | undefined {
  if (!(thrown instanceof Error) || !("code" in thrown)) return undefined;
  // Node's own complaints about arguments are called ERR_…: those are mistakes of ours.
  const { code } = thrown;
  return typeof code === "string" && /^E(?!RR_)[A-Z0-9]+$/.test(code) ? code : undefined;
}

/** Runs a system call of Node: what the system refuses is a value, everything else is thrown on. */
export function attempt<T>(call: () => T): Result<T, Errno> {
  try {
    return ok(call());
  } catch (thrown) {
    const errno = errnoOf(thrown);
    if (errno === undefined) throw thrown;
    return fail(errno);
  }
}
