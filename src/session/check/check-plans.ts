import type { BuilderRecord } from "../../fs-protocol/records/builder-log.ts";
import type { HomeIssue, HomeProblem } from "../../fs-protocol/home/home-issue.ts";
import type { HomeLogs, LogContent } from "../../fs-protocol/home/logs.ts";
import type { HumanRecord } from "../../fs-protocol/records/human-log.ts";
import type { TasksComparison } from "../rules/compare-tasks.ts";
import type { PlannerRecord } from "../../fs-protocol/records/planner-log.ts";
import type { PlanMilestone } from "../../fs-protocol/codec/record-fields.ts";
import { parseTasks, planMilestones } from "../../fs-protocol/tasks/tasks-md.ts";
import { replaceTicks } from "../../fs-protocol/tasks/tasks-ticks.ts";

/** A staged plan as found in `plans/`. */
export interface PlanFile {
  readonly text: string;
  /** SHA-256 of its bytes; the file name must be the same. */
  readonly digest: string;
}

/** The staged plans that exist, by the name under which records refer to them. */
export type PlanFiles = ReadonlyMap<string, PlanFile>;

type PlanLogs = Pick<HomeLogs, "planner" | "builder" | "human">;
type PlanRecord = PlannerRecord | BuilderRecord | HumanRecord;

/** Returns the names of all plans that records refer to. */
export function recordedPlans({ planner, builder, human }: PlanLogs) {
  const entries = [...planner.entries, ...builder.entries, ...human.entries];
  const records = entries.map(({ record }) => record);
  return new Set(records.flatMap((record) => planIn(record)?.plan ?? []));
}

/**
 * Checks that each recorded plan exists, is unaltered, and has the milestones that its record
 * names.
 */
export function checkPlans(
  { planner, builder, human }: PlanLogs,
  plans: PlanFiles,
): readonly HomeIssue[] {
  return [...plansIn(planner, plans), ...plansIn(builder, plans), ...plansIn(human, plans)];
}

function plansIn(
  { path, entries }: LogContent<PlanRecord>,
  plans: PlanFiles,
): readonly HomeIssue[] {
  return entries.flatMap(({ record, offsetBytes }) => {
    const staged = planIn(record);
    const problem = staged && planProblem(staged, plans.get(staged.plan));
    return problem === undefined ? [] : [{ ...problem, path, offsetBytes }];
  });
}

interface Staged {
  readonly plan: string;
  readonly milestones: readonly PlanMilestone[];
}

function planIn(record: PlanRecord): Staged | undefined {
  if (record.kind === "plan.adopt" || record.kind === "edit") return record;
  if (record.kind !== "plan.end") return undefined;
  const { plan, milestones } = record;
  return plan === undefined || milestones === undefined ? undefined : { plan, milestones };
}

function planProblem(
  { plan, milestones }: Staged,
  file: PlanFile | undefined,
): HomeProblem | undefined {
  if (file === undefined) return { kind: "plan-missing", plan };
  if (file.digest !== plan) return { kind: "plan-altered", plan };
  const parsed = parseTasks(file.text);
  const isSame =
    parsed.ok && JSON.stringify(planMilestones(parsed.value)) === JSON.stringify(milestones);
  return isSame ? undefined : { kind: "plan-differs", plan };
}

/**
 * Returns the text that TASKS.md should have; undefined before the first plan, if the plan is not
 * available, and while a person's edit is not adopted yet.
 */
export function expectedTasks(
  { builder, status, text, pending }: TasksComparison,
  plans: PlanFiles,
): string | undefined {
  if (status === "current") return text;
  if (status === "edited" || pending !== undefined) return undefined;
  const plan = builder.planSha === undefined ? undefined : plans.get(builder.planSha);
  if (plan === undefined || plan.digest !== builder.planSha) return undefined;
  return replaceTicks(plan.text, builder.ticks);
}
