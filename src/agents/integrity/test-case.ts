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

/** Of one file; what comes after is not looked at. */
export const REGIONS_MAX = 2_000;

/** A part of a file that looks like a test or a group of tests. */
export interface Region {
  readonly kind: "test" | "group";
  readonly title: string;
  /** Offsets in the source: its whole text, and the body in which its checks stand. */
  readonly start: number;
  readonly end: number;
  readonly isSkipped: boolean;
  readonly isFocused: boolean;
}
