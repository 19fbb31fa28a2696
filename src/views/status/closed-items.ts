import type { SessionState } from "../../session/state/session-state.ts";
import { findingsView, type FindingView } from "../findings/findings-view.ts";

/** The items that their openers closed, by result. */
export interface ClosedItems {
  /** The opener accepted a fix. */
  readonly fixed: readonly FindingView[];
  /** The opener agreed that no change is needed. */
  readonly unchanged: readonly FindingView[];
}

/** All items of a session that their openers closed. Dismissed items are in neither list. */
export function closedItems(state: SessionState): ClosedItems {
  const closed = findingsView(state).filter((item) => item.state === "closed");
  const isUnchanged = ({ fixes }: FindingView) =>
    fixes.findLast(({ verdict }) => verdict === "closed")?.outcome === "nochange";
  return {
    fixed: closed.filter((item) => !isUnchanged(item)),
    unchanged: closed.filter(isUnchanged),
  };
}

/** The number of items of each kind. */
interface Counts {
  readonly findings: number;
  readonly bugs: number;
}

/** How many findings and bugs their openers closed. */
export function closedCounts(state: SessionState): {
  readonly fixed: Counts;
  readonly unchanged: Counts;
} {
  const { fixed, unchanged } = closedItems(state);
  return { fixed: countsOf(fixed), unchanged: countsOf(unchanged) };
}

function countsOf(items: readonly FindingView[]): Counts {
  const bugs = items.filter(({ kind }) => kind === "bug").length;
  return { findings: items.length - bugs, bugs };
}
