import type { Oid } from "../../base/oid.ts";
import type { EndedMilestone } from "../../fs-protocol/records/builder-log.ts";
import type { PlanMilestone, Split } from "../../fs-protocol/codec/record-fields.ts";
import type { TickSets } from "../../fs-protocol/tasks/tasks-md.ts";
import type { SeenHeads } from "./watch-splits.ts";

/**
 * The milestones from the current one on whose boxes are all ticked, up to the first that has an unticked box.
 *
 * @param open the milestones that are not recorded as complete, in the order in which they are built
 */
export function completedRun(
  open: readonly PlanMilestone[],
  ticks: TickSets,
): readonly PlanMilestone[] {
  const gap = open.findIndex(({ name, tasks }) =>
    tasks.some((_, index) => ticks.get(name)?.has(index + 1) !== true),
  );
  return gap < 0 ? open : open.slice(0, gap);
}

/**
 * Where each completed milestone ends among the unit's commits (as an ordinal, because a rebase changes shas, but not
 * their order): at the HEAD that was seen when its last box was ticked. A milestone that was not seen in time gets all
 * commits, and those after it get an empty range, which is valid. The last one ends with the unit.
 */
export function splitsOf(
  completed: readonly PlanMilestone[],
  commits: readonly Oid[],
  seen: SeenHeads,
): readonly Split[] {
  let from = 0;
  return completed.map(({ name }, index) => {
    const head = seen.get(name);
    const place = head === undefined ? 0 : commits.indexOf(head) + 1;
    const isSeen = index < completed.length - 1 && place > 0;
    from = isSeen ? Math.max(from, place) : commits.length;
    return { m: name, commits: from };
  });
}

/** The ranges to record: contiguous, with the first beginning where the last recorded one ended. */
export function rangesOf(
  splits: readonly Split[],
  shas: readonly Oid[],
  previousEnd: Oid,
  ownEnd: Oid,
): readonly EndedMilestone[] {
  let start = previousEnd;
  return splits.map(({ m, commits }) => {
    const end = commits > 0 ? (shas[commits - 1] ?? ownEnd) : ownEnd;
    const range = { name: m, start, end };
    start = end;
    return range;
  });
}
