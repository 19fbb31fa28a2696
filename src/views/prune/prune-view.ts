import type { KeepReason } from "../../session/rules/why-kept.ts";
import type { LeftOnDisk } from "../../workspace/disk/leftovers-on-disk.ts";

/** What a session takes on the disk, in bytes. */
export interface SessionBytes {
  /** Its home and those of its revisions, without the reports. */
  readonly records: number;
  readonly reports: number;
  readonly clones: number;
  readonly verifyTrees: number;
  /** Copies of records, prompts and settings. */
  readonly copies: number;
}

/** One session; fields are added, never renamed or removed. */
export interface PrunedSession {
  readonly session: string;
  readonly branch: string;
  readonly repository: string;
  /** Whether its repository is gone. */
  readonly isOrphan: boolean;
  readonly ageMs: number;
  readonly bytes: number;
  readonly parts: SessionBytes;
  /** Where its files are in the state directory, by which it can be named, too. */
  readonly state: string;
  /** Why its files stay; absent: they may be removed. */
  readonly kept: KeepReason | undefined;
  /** The same in words. */
  readonly why: string | undefined;
  readonly isRemoved: boolean;
}

/** A leftover; fields are added, never renamed or removed. */
export interface PrunedLeftover extends Omit<LeftOnDisk, "kept"> {
  readonly bytes: number;
  readonly kept: LeftOnDisk["kept"];
  readonly isRemoved: boolean;
}

/** A copy of a wisp that nothing runs; fields are added, never renamed or removed. */
export interface PrunedProgram {
  readonly path: string;
  readonly bytes: number;
  readonly isRemoved: boolean;
}

/** What `wisp prune --json` prints; fields are added, never renamed or removed. */
export interface PruneView {
  readonly schema: "wisp.prune/1";
  readonly isDryRun: boolean;
  readonly sessions: readonly PrunedSession[];
  readonly leftovers: readonly PrunedLeftover[];
  readonly programs: readonly PrunedProgram[];
  /** Sessions that cannot be read; they stay. */
  readonly unreadable: readonly { readonly session: string; readonly problem: string }[];
  /** Of what was removed, or would be. */
  readonly freedBytes: number;
  /** Whether some sizes are only minimums, because there are too many files. */
  readonly isPart: boolean;
  /** References that hold work which only removed clones had. */
  readonly rescues: readonly string[];
  /** Sentences about clones that stay, because they hold what wisp cannot save. */
  readonly held: readonly string[];
}

/** Why files stay, in words. */
export const KEEP_WORDS: Readonly<Record<KeepReason, string>> = {
  "at-work": "kept: a process works on it",
  mirrors: "kept: it has a place on another machine",
  elsewhere: "kept: its files are in another state directory",
  "not-finished": "kept: not finished",
  "not-shipped": "kept: complete, not shipped",
  "being-revised": "kept: a revision is not finished or not shipped",
  "unsaved-work": "kept: its clones may hold work that is nowhere else",
  "too-recent": "kept: too recent",
};

const LEFT_WORDS: Readonly<Record<LeftOnDisk["what"], string>> = {
  "half-removed": "left by a prune that was interrupted",
  start: "left by a start that was interrupted",
  unclaimed: "of no session",
  temporary: "left by a process that was killed",
};

/** A leftover in words. */
export function leftWords({ what, kept }: LeftOnDisk): string {
  if (kept === undefined) return LEFT_WORDS[what];
  const why = kept === "too-recent" ? "too recent" : "it may hold work; remove it by hand";
  return `${LEFT_WORDS[what]}; kept: ${why}`;
}
