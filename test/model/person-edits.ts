import type { HumanRecord } from "../../src/fs-protocol/records/human-log.ts";
import { clearedTicks, pendingEdit, tickedPlan } from "../../src/session/rules/plan-edit.ts";
import type { PlanMilestone, MilestoneTicks } from "../../src/fs-protocol/codec/record-fields.ts";
import type { Move } from "./move.ts";
import { editDigest, milestoneOf, TIME } from "./names.ts";
import type { BudgetName } from "./scenarios.ts";
import type { State } from "./world.ts";

/** A person's edit of TASKS.md. */
interface Edited {
  readonly spend: BudgetName;
  readonly milestones: readonly PlanMilestone[];
  readonly ticks: readonly MilestoneTicks[];
}

/**
 * A person edits TASKS.md while no builder runs, on top of its current content: an edit that is not adopted yet, or
 * the plan in force. Recorded milestones are never changed: the command that accepts an edit checks that, with the
 * builder's lease held and its whole log read.
 */
export function edits(state: State): readonly Move[] {
  const { build, human } = state;
  if (build.stage === "turn" || build.stage === "pushed") return [];
  return editsOf(state).map((edited) => ({
    label: `H ${edited.spend}: ${edited.milestones.map(({ name }) => name).join()}`,
    spend: edited.spend,
    human: human.grow(editRecord(state, edited)),
  }));
}

function editsOf(state: State): readonly Edited[] {
  const { budget, builder, human } = state;
  const may = (spend: BudgetName) => budget.has(spend);
  if (!may("edit") && !may("rework") && !may("tick") && !may("untick")) return [];
  const pending = pendingEdit(human.fold, builder.fold);
  const { milestones, ticks } = pending ?? tickedPlan(builder.fold);
  const isRecorded = (name: string) => builder.fold.milestones.some((ended) => ended.name === name);
  const index = milestones.findIndex(({ name }) => !isRecorded(name));
  const current = milestones[index];
  const others = ticks.filter(({ m }) => m !== current?.name && !isRecorded(m));
  const own = ticks.filter(({ m }) => m === current?.name);
  const fresh = (letter: string) => milestoneOf(`${letter}${String(human.length)}1`);
  const made: Edited[] = [];
  if (may("edit")) {
    const open = [...others, ...own];
    made.push({ spend: "edit", milestones: [...milestones, fresh("e")], ticks: open });
  }
  if (current === undefined) return made;
  if (may("rework")) {
    made.push({ spend: "rework", milestones: milestones.with(index, fresh("w")), ticks: others });
  }
  const count = own.flatMap(({ tasks }) => tasks).length;
  if (may("tick") && count < current.tasks.length) {
    const tasks = current.tasks.map((_, at) => at + 1);
    made.push({ spend: "tick", milestones, ticks: [...others, { m: current.name, tasks }] });
  }
  if (may("untick") && count > 0) made.push({ spend: "untick", milestones, ticks: others });
  return made;
}

function editRecord({ builder, human }: State, { milestones, ticks }: Edited): HumanRecord {
  const { fold } = builder;
  const pending = pendingEdit(human.fold, fold);
  const before = [tickedPlan(fold), ...(pending === undefined ? [] : [pending])];
  const isOpen = ({ name }: PlanMilestone) => !fold.milestones.some((ended) => ended.name === name);
  const open = milestones.filter(isOpen);
  return {
    kind: "edit",
    time: TIME,
    plan: editDigest(human.length),
    // Absent before the first plan.
    ...(fold.planSha === undefined ? {} : { base: fold.planSha }),
    request: fold.planSha === undefined ? human.fold.updates : fold.planRequest,
    milestones: [...milestones],
    ticks: [...ticks],
    cleared: [...clearedTicks({ milestones: open, ticks }, before)],
  };
}
