import type { SessionState } from "../../session/state/session-state.ts";

/** What a role is, to the loop that runs it. `Work`: its steps that are neither a wait nor the end. */
export interface RoleMain<Work> {
  /** Where there is no first step: the files that people read are brought up to the journal. */
  readonly reconcile?: () => Promise<void>;
  /** Once, before the first step: projections compared with the journal, preparations. */
  readonly start: (state: SessionState) => Promise<void>;
  /** Does one step to its end, records and projections included. */
  readonly perform: (work: Work, state: SessionState) => Promise<void>;
  /** After each fresh look at the files, before the decision. */
  readonly settle?: (state: SessionState) => void;
}
