import type { SessionStateName, WispState } from "../../session/rules/session-machine.ts";

/** A revision as its parent shows it; fields are added, never renamed or removed. */
export interface RevisionStatus {
  readonly session: string;
  readonly revision: number;
  readonly state: SessionStateName;
  readonly stage: WispState;
  readonly items: { readonly done: number; readonly of: number };
  /** ISO 8601; undefined: it is not complete. */
  readonly completedAt: string | undefined;
  /** Commands that lead on from where it stands. */
  readonly next?: readonly string[] | undefined;
}

/** A revision whose home cannot be read, or is not there; fields are added, never renamed or removed. */
export interface DamagedRevision {
  readonly session: string;
  /** The kind of failure, as `wisp list` has it. */
  readonly problem: string;
  /** The command that repairs it, or says what is wrong where nothing can be repaired. */
  readonly repair: string;
}
