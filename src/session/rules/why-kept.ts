/** What decides whether a session's files may be removed. */
export interface PruneFacts {
  /** Processes that work on it or on one of its revisions. */
  readonly holders: readonly string[];
  /** Its files are not where this program keeps files, so it is not certain that they are its own. */
  readonly isElsewhere: boolean;
  /** It was shipped, abandoned or rejected. */
  readonly isClosed: boolean;
  /** It is not closed, but complete. */
  readonly isComplete: boolean;
  /** A revision that is not finished, or not shipped. */
  readonly openRevision: string | undefined;
  /** Clones whose work cannot be saved in the repository, because it or the session's branch is gone. */
  readonly unsaved: readonly string[];
  /** Since anything was recorded. */
  readonly ageMs: number;
}

export interface PruneLimits {
  readonly olderThanMs: number;
  /** A person named the session and accepts that what it holds is lost. */
  readonly force: boolean;
}

/** Why the files of a session stay. */
export type KeepReason =
  | "at-work"
  /** It has a place on another machine, which pruning would not remove. */
  | "mirrors"
  | "elsewhere"
  | "not-finished"
  | "not-shipped"
  | "being-revised"
  | "unsaved-work"
  | "too-recent";

/** Why a session's files stay; undefined if they may be removed. Nothing overrules a process at work. */
export function whyKept(
  facts: PruneFacts,
  { olderThanMs, force }: PruneLimits,
): KeepReason | undefined {
  if (facts.holders.length > 0) return "at-work";
  if (facts.isElsewhere) return "elsewhere";
  if (!force) {
    if (!facts.isClosed) return facts.isComplete ? "not-shipped" : "not-finished";
    if (facts.openRevision !== undefined) return "being-revised";
    if (facts.unsaved.length > 0) return "unsaved-work";
  }
  return facts.ageMs < olderThanMs ? "too-recent" : undefined;
}
