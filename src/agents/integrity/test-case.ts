/** One test of a file, as far as careful patterns can tell. */
export interface TestCase {
  readonly file: string;
  /** From 1. */
  readonly line: number;
  /** Titles of the groups around it, then its own. */
  readonly path: readonly string[];
  readonly isSkipped: boolean;
  /** While it is marked so, others of its file are not run. */
  readonly isFocused: boolean;
  /** Its code without comments, title included. */
  readonly text: string;
  /** Checks that can fail, those of helpers of the same file included. */
  readonly assertions: number;
  /** Of these: what compares with a whole value, and what nearly everything passes. */
  readonly strict: number;
  readonly loose: number;
  /** It runs its checks for each of several cases. */
  readonly hasLoop: boolean;
}
