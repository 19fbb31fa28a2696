import { join } from "node:path";
import { sha256 } from "../../base/sha256.ts";
import type { Files } from "../../base/ports/files.ts";
import { recordedPlans } from "../../session/check/check-plans.ts";
import type { PlanWay } from "../../fs-protocol/home/home-issue.ts";
import { planPath } from "../../fs-protocol/home/home.ts";
import type { HomeLogs } from "../../fs-protocol/home/logs.ts";
import { planCopies } from "../../fs-protocol/home/copy-path.ts";
import { compareTasks } from "../../session/rules/compare-tasks.ts";
import { PlanSha, type PlanMilestone } from "../../fs-protocol/codec/record-fields.ts";
import { renderTasks } from "../../fs-protocol/tasks/tasks-render.ts";
import { replaceTicks } from "../../fs-protocol/tasks/tasks-ticks.ts";
import type { FoundSession } from "../sessions.ts";

/** A staged plan that is missing, or whose content does not match its name. */
export interface LostPlan {
  readonly plan: string;
  /** Its content, if a copy, TASKS.md or the logs still provide it. */
  readonly bytes: Uint8Array | undefined;
  readonly way: PlanWay;
  /** Its milestones according to the records. */
  readonly milestones: readonly PlanMilestone[];
}

/** The plans that records name and that cannot be read, each with what remains of it. */
export function lostPlans(
  files: Files,
  found: FoundSession,
  logs: Pick<HomeLogs, "planner" | "builder" | "human">,
): readonly LostPlan[] {
  const { home } = found;
  // A name that is not a digest is not a plan's, and no path is built from it.
  const names = [...recordedPlans(logs)].filter((plan) => PlanSha.safeParse(plan).success);
  const lost = names.filter((plan) => !isNamed(plan, bytesAt(files, planPath(home, plan))));
  if (lost.length === 0) return [];
  const needed = neededPlan(files, found, logs);
  const tasks = bytesAt(files, home.tasks);
  return lost.map((plan): LostPlan => {
    const milestones = milestonesOf(plan, logs);
    const copy = bytesAt(files, join(planCopies(found.session), `${plan}.md`));
    if (isNamed(plan, copy)) return { plan, bytes: copy, way: "copy", milestones };
    const shown = formsOf(tasks).find((form) => isNamed(plan, form));
    if (shown !== undefined) return { plan, bytes: shown, way: "tasks", milestones };
    const rendered = Buffer.from(renderTasks(milestones));
    if (isNamed(plan, rendered)) return { plan, bytes: rendered, way: "logs", milestones };
    return { plan, bytes: undefined, way: plan === needed ? "recreate" : "none", milestones };
  });
}

/** TASKS.md is a plan with ticked boxes: try it as it is, and without ticks. */
function formsOf(tasks: Uint8Array | undefined): readonly (Uint8Array | undefined)[] {
  if (tasks === undefined) return [];
  const text = new TextDecoder().decode(tasks);
  return [tasks, Buffer.from(replaceTicks(text, new Map()))];
}

/**
 * The plan that the session needs to continue: a person's edit, the plan in force, or the planner's
 * latest.
 */
function neededPlan(
  files: Files,
  { home, session }: FoundSession,
  { planner }: Pick<HomeLogs, "planner">,
): string | undefined {
  const look = compareTasks(files, home, session);
  if (!look.ok) return undefined;
  const { pending, builder } = look.value;
  const answers = planner.entries.flatMap(({ record }) =>
    record.kind === "plan.end" ? (record.plan ?? []) : [],
  );
  return pending?.plan ?? builder.planSha ?? answers.at(-1);
}

function milestonesOf(
  plan: string,
  { planner, builder, human }: Pick<HomeLogs, "planner" | "builder" | "human">,
): readonly PlanMilestone[] {
  const entries = [...planner.entries, ...builder.entries, ...human.entries];
  const named = entries.flatMap(({ record }) =>
    "plan" in record &&
    record.plan === plan &&
    "milestones" in record &&
    record.milestones !== undefined
      ? [record.milestones]
      : [],
  );
  return named[0] ?? [];
}

function bytesAt(files: Files, path: string): Uint8Array | undefined {
  const read = files.read(path);
  return read.ok ? read.value : undefined;
}

function isNamed(plan: string, bytes: Uint8Array | undefined): boolean {
  return bytes !== undefined && sha256(bytes) === plan;
}
