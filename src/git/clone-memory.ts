import type { Oid } from "../base/oid.ts";
import type { CommitRange } from "./commit-range.ts";

/** What a process knows of its clone without asking git again; it dies with the process. */
export interface CloneMemory {
  /** The range that was asked for last. Commits never change, so the answer stays true. */
  range: CommitRange | undefined;
  /**
   * The commit at which a look found nothing uncommitted, after a turn. True until somebody else gets
   * the clone, and nobody gets it without `syncTo`, which forgets it.
   */
  settledAt: Oid | undefined;
}
