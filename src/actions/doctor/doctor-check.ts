/** The result of a check. `skip`: there was nothing to check. */
export type CheckStatus = "ok" | "warn" | "fail" | "skip";

/** One check's result, for people. */
export interface Check {
  /** For programs; stable. */
  readonly name: string;
  readonly status: CheckStatus;
  /** What was found, in one line. */
  readonly what: string;
  /** What to do about it: for `warn` and `fail`. */
  readonly fix: string | undefined;
}

/** As it should be. */
export function fine(name: string, what: string): Check {
  return { name, status: "ok", what, fix: undefined };
}

/** wisp works, but less well. */
export function warn(name: string, what: string, fix: string): Check {
  return { name, status: "warn", what, fix };
}

/** wisp cannot work. */
export function failed(name: string, what: string, fix: string): Check {
  return { name, status: "fail", what, fix };
}

/** Not checked. */
export function skipped(name: string, what: string): Check {
  return { name, status: "skip", what, fix: undefined };
}
