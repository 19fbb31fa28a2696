/**
 * What happened to the tests in a range:
 *
 * - `deleted`: a test is not there any more, under whatever name; `skipped`: it is there and not run;
 *   `focused`: it is marked so that others are not run; `emptied`: it checks nothing any more;
 * - `weakened`: it checks less; `loosened`: it checks as often, but lets more pass;
 * - `threshold`: a coverage threshold went down or away; `command`: what runs the tests is another;
 *   `narrowed`: a setting leaves tests out that were not left out; `harness`: a file by which tests run is
 *   another, or new.
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

/** One thing that was done to the tests in a range, for whatever reason. */
export interface Tampering {
  readonly kind: TamperingKind;
  /** Of the tree after the range, but of the tree before it where `deleted`, or where the file is gone. */
  readonly file: string;
  /** From 1. */
  readonly line: number;
  /** Title of the test, key of the threshold, or name of the command; text of the files, not cleaned. */
  readonly what: string;
  /** Of a test that has another place or name since: what it was before. */
  readonly was?: { readonly file: string; readonly what: string } | undefined;
  /** What there was and what there is, where that is short. */
  readonly before?: string | undefined;
  readonly after?: string | undefined;
}

/** Whether after it a test is not run, or cannot fail: reason for a blocking finding by itself. */
export function hidesTest({ kind }: Tampering): boolean {
  return kind === "deleted" || kind === "skipped" || kind === "focused" || kind === "emptied";
}
