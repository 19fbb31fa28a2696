import type { SessionState } from "../session/state/session-state.ts";

/** A role as seen by the loop that runs it. `Work`: its steps other than waiting and ending. */
export interface RoleMain<Work> {
  /** Called instead of `start` if the role has nothing left to do: updates the projections from the journal. */
  readonly reconcile?: () => Promise<void>;
  /** Called once before the first step: compares the projections with the journal and prepares the role. */
  readonly start: (state: SessionState) => Promise<void>;
  /** Performs one step to its end, including its records and projections. */
  readonly perform: (work: Work, state: SessionState) => Promise<void>;
  /** Called after each reading of the session's files, before the next step is decided. */
  readonly settle?: (state: SessionState) => void;
}
