import type { SessionState } from "../../session/state/session-state.ts";
import { findingsView, type FindingView } from "../findings/findings-view.ts";

/** A finding or bug that a person closed for good, regardless of its opener. */
export interface DismissedItem extends Pick<FindingView, "id" | "kind" | "brief"> {
  /** The person's reason. */
  readonly why: string;
}

/** All dismissed items of a session, in the order in which findings are shown. */
export function dismissedItems(state: SessionState): readonly DismissedItem[] {
  return findingsView(state)
    .filter((item) => item.state === "dismissed")
    .map(({ id, kind, brief, dismissal }) => ({ id, kind, brief, why: dismissal ?? "" }));
}
