import { present } from "../../base/assert.ts";
import { foldOpenUnit, questionOf, type OpenUnit, type Question } from "./open-unit.ts";
import type { PlannerRecord } from "../../fs-protocol/records/planner-log.ts";
import type { PlanMilestone } from "../../fs-protocol/codec/record-fields.ts";

/** One answer of the planner. */
export interface PlanAnswer {
  readonly seq: number;
  readonly boundary: number;
  readonly request: number;
  /** The staged plan, if the answer contains one. */
  readonly staged:
    | {
        readonly plan: string;
        readonly milestones: readonly PlanMilestone[];
        /** The plan in force for which it was made. */
        readonly base: string | undefined;
        /** The place in human.log from which on an approval counts, counted from 0. */
        readonly human: number;
      }
    | undefined;
  /** Number of reopens that the planner had seen, if the unit gave up. */
  readonly gaveUpAtReopens: number | undefined;
  readonly reason: string | undefined;
}

/** The fold of `planner.log`. */
export interface PlannerFold {
  readonly answers: readonly PlanAnswer[];
  readonly questions: readonly Question[];
  readonly open: OpenUnit<never> | undefined;
  /**
   * Time of the last end of a unit, in milliseconds since 1970; the planner's drain clock restarts
   * there.
   */
  readonly lastEndMs: number;
}

export const EMPTY_PLANNER: PlannerFold = {
  answers: [],
  questions: [],
  open: undefined,
  lastEndMs: 0,
};

/** Applies one record of `planner.log`. */
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
  const { seq, boundary, request, plan, milestones, base, reason, human = 0 } = record;
  const staged = plan && milestones ? { plan, milestones, base, human } : undefined;
  const gaveUpAtReopens = record.outcome === "gaveup" ? (record.reopens ?? 0) : undefined;
  const answer = { seq, boundary, request, staged, gaveUpAtReopens, reason };
  return { ...ended, answers: [...fold.answers, answer] };
}
