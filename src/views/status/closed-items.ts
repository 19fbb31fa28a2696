import type { SessionState } from "../../session/state/session-state.ts";
import { findingsView, type FindingView } from "../findings/findings-view.ts";

/** What whoever opened it closed, by what came of it. */
export interface ClosedItems {
  /** A fix was accepted. */
  readonly fixed: readonly FindingView[];
  /** It was agreed that nothing is to be changed. */
  readonly unchanged: readonly FindingView[];
}

/** All of a session that its openers closed. What a person dismissed is neither. */
export function closedItems(state: SessionState): ClosedItems {
  const closed = findingsView(state).filter((item) => item.state === "closed");
  const isUnchanged = ({ fixes }: FindingView) =>
    fixes.findLast(({ verdict }) => verdict === "closed")?.outcome === "nochange";
  return {
    fixed: closed.filter((item) => !isUnchanged(item)),
    unchanged: closed.filter(isUnchanged),
  };
}

/** How many of each kind. */
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
