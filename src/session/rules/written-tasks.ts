import type { BuilderRecord } from "../../fs-protocol/records/builder-log.ts";
import { EMPTY_BUILDER, type BuilderFold } from "../state/builder-state.ts";
import { foldBuilder } from "../state/fold-builder.ts";
import type { HumanEdit } from "../state/fold-human.ts";
import type { Policy } from "../../fs-protocol/home/policy.ts";
import { replaceTicks } from "../../fs-protocol/tasks/tasks-ticks.ts";

/** What TASKS.md is made of. Without ticks: the text of the plan as it is, as a person left it. */
interface TasksState {
  readonly planSha: string | undefined;
  readonly ticks: BuilderFold["ticks"] | undefined;
}

/** `builder.log`, folded, and what TASKS.md may hold if nobody but builders wrote to it. */
export interface WrittenTasks {
  readonly fold: BuilderFold;
  /**
   * Oldest first, never empty, the last as it has to be now. There are more only where a builder was
   * killed between a record and TASKS.md.
   */
  readonly states: readonly TasksState[];
}

export const NO_TASKS_WRITTEN: WrittenTasks = { fold: EMPTY_BUILDER, states: [EMPTY_BUILDER] };

/**
 * Records that come of a decision. The builder writes TASKS.md after every look at its log and before
 * it decides, so that such a record says that TASKS.md was as the log was before it.
 */
const DECISIONS: ReadonlySet<BuilderRecord["kind"]> = new Set([
  "unit.begin",
  "unit.recover",
  "plan.adopt",
  "plan.refuse",
  "drain.close",
  "final.open",
  "halt",
  "done",
  "reopen",
  "role.end",
]);

/** One record of `builder.log`, applied. */
export function foldWrittenTasks(
  { fold, states }: WrittenTasks,
  record: BuilderRecord,
  policy: Policy,
): WrittenTasks {
  const next = foldBuilder(fold, record, policy);
  const shown = DECISIONS.has(record.kind) ? [shownAt(fold, record)] : states;
  const last = shown.at(-1);
  const isSame = last !== undefined && next.planSha === last.planSha && next.ticks === last.ticks;
  return { fold: next, states: isSame ? shown : [...shown, next] };
}

/** As the log was before it; an edit stays as the person left it until it is adopted or refused. */
function shownAt(fold: BuilderFold, record: BuilderRecord): TasksState {
  const isEdit =
    (record.kind === "plan.adopt" || record.kind === "plan.refuse") && record.human !== undefined;
  return isEdit ? { planSha: record.plan, ticks: undefined } : fold;
}

/** How TASKS.md is found. */
export type TasksStatus =
  /** As it has to be. */
  | "current"
  /** As it was before the builder's last words, or not there: the builder writes it when it starts. */
  | "behind"
  /** Somebody edited it. */
  | "edited";

/**
 * Compares a TASKS.md with what may stand there.
 *
 * @param text undefined when there is no such file
 * @param pending an edit that the builder has not adopted yet: until it has, the edited text stays
 * @param planText the text of a staged plan; undefined where it is not to be had
 */
export function tasksStatus(
  text: string | undefined,
  { states }: WrittenTasks,
  pending: HumanEdit | undefined,
  planText: (plan: string) => string | undefined,
): TasksStatus {
  if (pending !== undefined) {
    if (text === undefined) return "behind";
    return text === planText(pending.plan) ? "current" : "edited";
  }
  const texts = states.map((state) => renderState(state, planText));
  if (text === texts.at(-1)) return "current";
  // Without the plan nothing can be said of the file.
  const isUnknown = states.some(
    ({ planSha }) => planSha !== undefined && planText(planSha) === undefined,
  );
  return text === undefined || isUnknown || texts.includes(text) ? "behind" : "edited";
}

/** What TASKS.md may hold of builders, or of an edit that is staged; as it has to be last. */
export function writtenTexts(
  { states }: WrittenTasks,
  pending: HumanEdit | undefined,
  planText: (plan: string) => string | undefined,
): readonly (string | undefined)[] {
  const texts = states.map((state) => renderState(state, planText));
  return pending === undefined ? texts : [...texts, planText(pending.plan)];
}

function renderState(
  { planSha, ticks }: TasksState,
  planText: (plan: string) => string | undefined,
): string | undefined {
  const plan = planSha === undefined ? undefined : planText(planSha);
  return plan === undefined || ticks === undefined ? plan : replaceTicks(plan, ticks);
}
