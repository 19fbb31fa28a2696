/** One test of a file, as recognised by patterns. */
export interface TestCase {
  readonly file: string;
  /** Counted from 1. */
  readonly line: number;
  /** Titles of the enclosing groups, then its own. */
  readonly path: readonly string[];
  readonly isSkipped: boolean;
  /** A focused test keeps the others of its file from being run. */
  readonly isFocused: boolean;
  /** Its code without comments, including its title. */
  readonly text: string;
  /** Number of checks that can fail, including those of helpers in the same file. */
  readonly assertions: number;
  /**
   * Of these, checks that compare with a whole value (`strict`), and checks that nearly everything passes
   * (`loose`).
   */
  readonly strict: number;
  readonly loose: number;
  /** Whether it may run its checks for several cases. */
  readonly hasLoop: boolean;
}
