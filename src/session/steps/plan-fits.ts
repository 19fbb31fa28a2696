import { isBegun, recordedNames } from "../rules/build-order.ts";
import type { BuilderFold } from "../state/builder-state.ts";
import type { HumanEdit } from "../state/fold-human.ts";
import type { PlanAnswer } from "../state/fold-planner.ts";
import type { PlanMilestone } from "../../fs-protocol/codec/record-fields.ts";

type Drafted = Pick<NonNullable<PlanAnswer["staged"]>, "base" | "milestones">;

/**
 * Checks whether the planner's plan may come into force; returns the reason if it may not. The plan
 * must be made for the plan in force, so that a plan made before a person's edit never undoes the
 * edit. It must also contain every completed or started milestone verbatim, in the same relative
 * order. The builder compares with its own log, which is never stale.
 */
export function planMisfit(own: BuilderFold, staged: Drafted | undefined): string | undefined {
  if (staged?.base !== own.planSha) return "it was made for another plan than the one in force";
  const recorded = recordedNames(own);
  const begun = own.plan.filter(({ name }) => isBegun(own, name) || recorded.has(name));
  return misfit(begun, staged?.milestones ?? [], "which is already begun");
}

/**
 * Checks whether a person's edit leaves all recorded milestones unchanged, and returns the reason
 * if it does not. The person may change everything else.
 */
export function editMisfit(own: BuilderFold, edit: HumanEdit): string | undefined {
  const recorded = recordedNames(own);
  const kept = own.plan.filter(({ name }) => recorded.has(name));
  return misfit(kept, edit.milestones, "which is completed meanwhile");
}

function misfit(
  fixed: readonly PlanMilestone[],
  next: readonly PlanMilestone[],
  because: string,
): string | undefined {
  let from = 0;
  // Of two milestones with the same name, the first counts.
  const places = new Map(next.map(({ name }, at) => [name, at] as const).reverse());
  for (const milestone of fixed) {
    const at = places.get(milestone.name);
    if (at === undefined) return `it drops the milestone "${milestone.name}", ${because}`;
    if (at < from) return `it moves the milestone "${milestone.name}" before an earlier one`;
    if (!isVerbatim(milestone, next[at])) {
      return `it changes the tasks of the milestone "${milestone.name}", ${because}`;
    }
    from = at + 1;
  }
  return undefined;
}

function isVerbatim(milestone: PlanMilestone, other: PlanMilestone | undefined): boolean {
  return (
    other?.tasks.length === milestone.tasks.length &&
    milestone.tasks.every((task, index) => task === other.tasks[index])
  );
}
