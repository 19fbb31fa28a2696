/**
 * What happened to the tests in a range:
 *
 * - `deleted`: a test no longer exists under any name; `skipped`: it exists but is not run; `focused`: it is
 *   marked so that others are not run; `emptied`: it checks nothing any more;
 * - `weakened`: it checks less; `loosened`: it has as many checks, but they let more pass;
 * - `threshold`: a coverage threshold was lowered or removed; `command`: the command that runs the tests
 *   changed; `narrowed`: a setting newly excludes tests; `harness`: a file by which tests run was changed or
 *   added.
 */
export type TamperingKind =
  | "deleted"
  | "skipped"
  | "focused"
  | "emptied"
  | "weakened"
  | "loosened"
  | "threshold"
  | "command"
  | "narrowed"
  | "harness";

/** One thing that was done to the tests in a range, whether asked for or not. */
export interface Tampering {
  readonly kind: TamperingKind;
  /** Path after the range; path before it for `deleted`, and where the file no longer exists. */
  readonly file: string;
  /** Counted from 1. */
  readonly line: number;
  /** Title of the test, key of the threshold, or name of the command; text from the files, not cleaned. */
  readonly what: string;
  /** For a test that was moved or renamed: its former file and name. */
  readonly was?: { readonly file: string; readonly what: string } | undefined;
  /** The former and the new content, where these are short. */
  readonly before?: string | undefined;
  readonly after?: string | undefined;
}

/** Whether a test is no longer run or can no longer fail, which justifies a blocking finding by itself. */
export function hidesTest({ kind }: Tampering): boolean {
  return kind === "deleted" || kind === "skipped" || kind === "focused" || kind === "emptied";
}
