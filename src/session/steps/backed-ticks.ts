/**
 * The changes that can back the boxes that a build turn ticked. They are determined by comparing
 * trees, so a commit that changes no file, or one that was reverted, does not count.
 */
export interface Built {
  /** The turn's own commits change at least one file. */
  readonly byTurn: boolean;
  /** Earlier attempts at the milestone published commits. */
  readonly byAttempts: boolean;
  /** The tree differs from the one at the milestone's start. */
  readonly sinceStart: boolean;
  /**
   * Commits were built for another milestone of the session, and the tree differs from the
   * session's base.
   */
  readonly byOthers: boolean;
}

/**
 * Which boxes of a turn count. `turn`: all of them. `attempts` and `others`: only those of the
 * current milestone, because its work was done by its earlier attempts or together with another
 * milestone (R24). `nothing`: none.
 */
export type Backing = "turn" | "attempts" | "others" | "nothing";

/** Determines what backs the ticks of a build turn. */
export function backingOf({ byTurn, byAttempts, sinceStart, byOthers }: Built): Backing {
  if (byTurn && sinceStart) return "turn";
  if (byAttempts && sinceStart) return "attempts";
  return byOthers ? "others" : "nothing";
}
