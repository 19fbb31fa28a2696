import type { Oid } from "../../base/oid.ts";

/** Commits on the branch of finished work that nobody has reviewed. */
export interface LaterCommits {
  readonly count: number;
  /** The session whose `resume` has them reviewed; undefined: there are none, or each of them is closed. */
  readonly by: string | undefined;
  /** Up to where the branch was reviewed without a gap; undefined: there are none. */
  readonly after: Oid | undefined;
}
