/**
 * What stands behind the boxes that a build turn ticked, as trees tell it: a commit that changes no file is
 * nothing, and so is one that was taken back.
 */
export interface Built {
  /** The turn's own commits change a file. */
  readonly byTurn: boolean;
  /** Attempts at the milestone before this one published commits. */
  readonly byAttempts: boolean;
  /** The tree is another than where the milestone began. */
  readonly sinceStart: boolean;
  /** Something was built for another milestone of the session, and the tree is another than at its base. */
  readonly byOthers: boolean;
}

/**
 * Which boxes of a turn count: `turn`: all; `attempts`, `others`: those of the milestone in hand, whose work is in
 * what was built before, by its own attempts or with another milestone (R24); `nothing`: none.
 */
export type Backing = "turn" | "attempts" | "others" | "nothing";

/** What backs the ticks of a build turn. */
export function backingOf({ byTurn, byAttempts, sinceStart, byOthers }: Built): Backing {
  if (byTurn && sinceStart) return "turn";
  if (byAttempts && sinceStart) return "attempts";
  return byOthers ? "others" : "nothing";
}
