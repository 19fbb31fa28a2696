import type { Oid } from "../../base/oid.ts";

/** How one commit lies to another. */
export interface CloneRange {
  readonly from: Oid;
  readonly to: Oid;
  /** Commits of `from..to`, oldest first. */
  readonly commits: readonly Oid[];
  /** Whether one of them is a merge. */
  readonly hasMerges: boolean;
  /** Whether `from` holds commits that `to` lacks. */
  readonly isBehind: boolean;
}

/** What a process knows of its clone without asking git again; it dies with the process. */
export interface CloneMemory {
  /** The range that was asked for last. Commits never change, so the answer stays true. */
  range: CloneRange | undefined;
  /**
   * The commit at which a look found nothing uncommitted, after a turn. True until somebody else gets
   * the clone, and nobody gets it without `syncTo`, which forgets it.
   */
  settledAt: Oid | undefined;
}
