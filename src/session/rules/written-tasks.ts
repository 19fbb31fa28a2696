import type { BuilderRecord } from "../../fs-protocol/records/builder-log.ts";
import { EMPTY_BUILDER, type BuilderFold } from "../state/builder-state.ts";
import { foldBuilder } from "../state/fold-builder.ts";
import type { HumanEdit } from "../state/fold-human.ts";
import type { Policy } from "../../fs-protocol/home/policy.ts";
import { replaceTicks } from "../../fs-protocol/tasks/tasks-ticks.ts";

/**
 * The source of a text of TASKS.md. Without ticks, the text is exactly that of the plan, as a
 * person left it.
 */
interface TasksState {
  readonly planSha: string | undefined;
  readonly ticks: BuilderFold["ticks"] | undefined;
}

/** The fold of `builder.log`, and what TASKS.md may contain if only builders wrote to it. */
export interface WrittenTasks {
  readonly fold: BuilderFold;
  /**
   * Oldest first and never empty; the last one is the state that TASKS.md should have now. There
   * are several only if a builder was killed after it wrote a record and before it updated
   * TASKS.md.
   */
  readonly states: readonly TasksState[];
}

export const NO_TASKS_WRITTEN: WrittenTasks = { fold: EMPTY_BUILDER, states: [EMPTY_BUILDER] };

/**
 * Records that follow from a decision. The builder updates TASKS.md each time it has read its log
 * and before it decides, so such a record proves that TASKS.md matched the log as it was before the
 * record.
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

/** Applies one record of `builder.log`. */
export function foldWrittenTasks(
  { fold, states }: WrittenTasks,
  record: BuilderRecord,
  policy: Policy,
): WrittenTasks {
  const next = foldBuilder(fold, record, policy);
  const written = DECISIONS.has(record.kind) ? [writtenBefore(fold, record)] : states;
  const last = written.at(-1);
  const isSame = last !== undefined && next.planSha === last.planSha && next.ticks === last.ticks;
  return { fold: next, states: isSame ? written : [...written, next] };
}

/**
 * The state that TASKS.md had before the record; an edit stays as the person left it until it is
 * adopted or refused.
 */
function writtenBefore(fold: BuilderFold, record: BuilderRecord): TasksState {
  const isEdit =
    (record.kind === "plan.adopt" || record.kind === "plan.refuse") && record.human !== undefined;
  return isEdit ? { planSha: record.plan, ticks: undefined } : fold;
}

/** How TASKS.md compares with the log. */
export type TasksStatus =
  /** It matches the log. */
  | "current"
  /**
   * It matches the log before the builder's last records, or is missing: the builder writes it when
   * it starts.
   */
  | "behind"
  /** A person or a program other than wisp edited it. */
  | "edited";

/**
 * Compares TASKS.md with what it may contain.
 *
 * @param text undefined if there is no such file
 * @param pending an edit that the builder has not adopted yet: until then the edited text stays
 * @param planText returns the text of a staged plan; undefined if it is not available
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
  // Without the text of a plan, an edit cannot be told from the builder's own text.
  const isUnknown = states.some(
    ({ planSha }) => planSha !== undefined && planText(planSha) === undefined,
  );
  return text === undefined || isUnknown || texts.includes(text) ? "behind" : "edited";
}

/**
 * Returns the texts that builders, or the staged edit, may have put into TASKS.md; the last one is
 * the text that it should have.
 */
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
