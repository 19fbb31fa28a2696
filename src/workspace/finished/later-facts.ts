import type { Oid } from "../../base/oid.ts";

/** Unreviewed commits on the branch of finished work. */
export interface LaterCommits {
  readonly count: number;
  /** The session whose `resume` reviews them; undefined if there are none or every such session is closed. */
  readonly by: string | undefined;
  /** The last commit before the first unreviewed one; undefined if there are no unreviewed commits. */
  readonly after: Oid | undefined;
}
