import type { BuilderRecord } from "../../src/fs-protocol/builder-log.ts";
import type { BuilderFold } from "../../src/fs-protocol/builder-state.ts";
import type { HumanFold } from "../../src/fs-protocol/fold-human.ts";
import type { HumanRecord } from "../../src/fs-protocol/human-log.ts";
import type { Policy } from "../../src/fs-protocol/policy.ts";
import type { PlanMilestone } from "../../src/fs-protocol/record-fields.ts";
import { repeated, type Broken } from "./broken.ts";
import type { Told } from "./history.ts";

/** One record of builder.log, with the log folded before and after it. */
export interface Moment {
  readonly before: BuilderFold;
  readonly record: BuilderRecord;
  readonly after: BuilderFold;
}

export interface MomentContext {
  readonly human: Told<HumanRecord, HumanFold>;
  readonly policy: Policy;
  /** Commits on the branch that no unit published: each may cost a final pass more. */
  readonly foreign: number;
}

/** What must hold when the builder appends a record: I2, I7, I8, I11 and I13. */
export function momentBroken(moment: Moment, context: MomentContext): Broken | undefined {
  switch (moment.record.kind) {
    case "plan.adopt":
      return adoptsUnderWork(moment) ?? changesStanding(moment, moment.record.milestones);
    case "build.end": {
      const names = moment.after.milestones.map(({ name }) => name);
      return (
        repeated(names, { invariant: "I2", what: "a milestone recorded twice" }) ??
        idle(moment, context)
      );
    }
    case "drain.close":
    case "final.open":
      return endless(moment, context);
    case "reopen":
      return reopensUnasked(moment, context, moment.record.human);
    default:
      return undefined;
  }
}

/** I7: the plan in force changes only when the builder has no open unit. */
function adoptsUnderWork({ before }: Moment): Broken | undefined {
  if (before.open === undefined) return undefined;
  return { invariant: "I7", what: `the plan changes under ${before.open.unit}` };
}

/** I8: what is completed never changes, and what has a tick stays in the plan. */
function changesStanding(
  { before }: Moment,
  milestones: readonly PlanMilestone[],
): Broken | undefined {
  const changed = before.plan.find((standing) => {
    const isEnded = before.milestones.some(({ name }) => name === standing.name);
    if (!isEnded && !before.ticks.has(standing.name)) return false;
    const next = milestones.find(({ name }) => name === standing.name);
    return next?.tasks.join("\n") !== standing.tasks.join("\n");
  });
  if (changed === undefined) return undefined;
  return { invariant: "I8", what: `the plan drops or changes ${changed.name}, which is begun` };
}

/** I11: build attempts without progress are bounded. */
function idle({ after }: Moment, { policy }: MomentContext): Broken | undefined {
  if (after.noprogress <= policy.buildAttemptsMax) return undefined;
  return { invariant: "I11", what: "more build attempts without progress than allowed" };
}

/** I11: fix rounds per boundary, and final passes per stretch of work, are bounded. */
function endless({ after }: Moment, { policy, foreign }: MomentContext): Broken | undefined {
  if (after.rounds > policy.fixRoundsMax) {
    return { invariant: "I11", what: "more fix rounds than allowed" };
  }
  const stretches = 1 + after.reopens + after.milestones.length;
  if (after.finalN <= stretches * (policy.fixRoundsMax + 1) + foreign) return undefined;
  return { invariant: "I11", what: `final pass ${after.finalN}: an endless loop` };
}

/** I13, and the part of I11 that is about reopening: each reopen has a record of its own. */
function reopensUnasked(
  { before, after }: Moment,
  { human }: MomentContext,
  count: number,
): Broken | undefined {
  const { records } = human;
  if (before.done === undefined || !mayReopen(records.slice(0, count), before.done)) {
    const last = records[count - 1]?.kind ?? "nothing";
    return { invariant: "I13", what: `a finished session is reopened by ${last}` };
  }
  if (after.reopens <= records.length) return undefined;
  return { invariant: "I11", what: "reopened more often than anybody said anything" };
}

/**
 * Whether human records reopen a session that ended so: told independently of the predicate in
 * `src`, which is among what is judged here.
 */
export function mayReopen(
  records: readonly HumanRecord[],
  done: { readonly how: "complete" | "stuck"; readonly human: number },
): boolean {
  let isStopped = false;
  const answered = new Set<string>();
  return records.some((record, index) => {
    const wasStopped = isStopped;
    if (record.kind === "stop" || record.kind === "resume") isStopped = record.kind === "stop";
    const isNew = record.kind === "answer" && !answered.has(record.question);
    if (record.kind === "answer") answered.add(record.question);
    if (index < done.human) return false;
    if (record.kind === "resume") return wasStopped || done.how === "stuck";
    return isNew || ["update", "add", "dismiss"].includes(record.kind);
  });
}
