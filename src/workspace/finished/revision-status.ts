import type { SessionStateName, WispState } from "../../session/rules/session-machine.ts";

/** A revision as its parent shows it; fields are added, never renamed or removed. */
export interface RevisionStatus {
  readonly session: string;
  readonly revision: number;
  readonly state: SessionStateName;
  readonly stage: WispState;
  readonly items: { readonly done: number; readonly of: number };
  /** ISO 8601; undefined if it is not complete. */
  readonly completedAt: string | undefined;
  /** The next commands. */
  readonly next?: readonly string[] | undefined;
}

/**
 * A revision whose home cannot be read or is missing; fields are added, never renamed or removed.
 */
export interface DamagedRevision {
  readonly session: string;
  /** The kind of failure, as in `wisp list`. */
  readonly problem: string;
  /** The command that repairs it, or that explains what is wrong if nothing can be repaired. */
  readonly repair: string;
}
