import { present } from "../../base/assert.ts";
import { foldOpenUnit, questionOf, type OpenUnit, type Question } from "./open-unit.ts";
import type { PlannerRecord } from "../../fs-protocol/records/planner-log.ts";
import type { PlanMilestone } from "../../fs-protocol/codec/record-fields.ts";

/** One answer of the planner. */
export interface PlanAnswer {
  readonly seq: number;
  readonly boundary: number;
  readonly request: number;
  /** The staged plan, when the answer is one. */
  readonly staged:
    | {
        readonly plan: string;
        readonly milestones: readonly PlanMilestone[];
        /** The plan in force that it was made to follow. */
        readonly base: string | undefined;
      }
    | undefined;
  /** Set when the unit gave up: how many reopens the planner had seen. */
  readonly gaveUpAtReopens: number | undefined;
  readonly reason: string | undefined;
}

/** Everything that `planner.log` says, folded. */
export interface PlannerFold {
  readonly answers: readonly PlanAnswer[];
  readonly questions: readonly Question[];
  readonly open: OpenUnit<never> | undefined;
  /** Time of its last `end`, in ms since 1970: its drain clock starts again there. */
  readonly lastEndMs: number;
}

export const EMPTY_PLANNER: PlannerFold = {
  answers: [],
  questions: [],
  open: undefined,
  lastEndMs: 0,
};

/** One record of `planner.log`, applied. */
export function foldPlanner(fold: PlannerFold, record: PlannerRecord): PlannerFold {
  if (record.kind !== "plan.end") {
    const open = foldOpenUnit(fold.open, record);
    return open === fold.open ? fold : { ...fold, open };
  }
  const ended = { ...fold, open: undefined, lastEndMs: Date.parse(record.time) };
  if (record.outcome === "needs_input" || record.outcome === "blocked") {
    const id = present(record.question, "a question has an id");
    const question = questionOf(record, { id, outcome: record.outcome });
    return { ...ended, questions: [...fold.questions, question] };
  }
  const { seq, boundary, request, plan, milestones, base, reason } = record;
  const staged = plan && milestones ? { plan, milestones, base } : undefined;
  const gaveUpAtReopens = record.outcome === "gaveup" ? (record.reopens ?? 0) : undefined;
  const answer = { seq, boundary, request, staged, gaveUpAtReopens, reason };
  return { ...ended, answers: [...fold.answers, answer] };
}
