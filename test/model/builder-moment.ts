import type { BuilderRecord } from "../../src/fs-protocol/records/builder-log.ts";
import type { BuilderFold } from "../../src/session/state/builder-state.ts";
import type { HumanFold } from "../../src/session/state/fold-human.ts";
import type { PlannerFold } from "../../src/session/state/fold-planner.ts";
import type { HumanRecord } from "../../src/fs-protocol/records/human-log.ts";
import type { PlannerRecord } from "../../src/fs-protocol/records/planner-log.ts";
import type { Policy } from "../../src/fs-protocol/home/policy.ts";
import { repeated, type Broken } from "./broken.ts";
import type { WrittenLog } from "./history.ts";
import { lastEndOf } from "../../src/session/state/stage.ts";

/** One record of builder.log, with the log folded before and after it. */
export interface Moment {
  readonly before: BuilderFold;
  readonly record: BuilderRecord;
  readonly after: BuilderFold;
}

type RecordOf<K extends BuilderRecord["kind"]> = Extract<BuilderRecord, { readonly kind: K }>;

export interface MomentContext {
  readonly human: WrittenLog<HumanRecord, HumanFold>;
  readonly planner: WrittenLog<PlannerRecord, PlannerFold>;
  readonly policy: Policy;
  /** Commits on the branch that no unit published: each may require one more final pass. */
  readonly foreign: number;
}

/** What must hold when the builder appends a record: I2, I7, I8, I11, I13, I15 and I19. */
export function momentBroken(moment: Moment, context: MomentContext): Broken | undefined {
  switch (moment.record.kind) {
    case "plan.adopt":
      return (
        adoptsUnderWork(moment) ??
        adoptsUnapproved(moment, moment.record, context) ??
        changesStanding(moment, moment.record) ??
        undoesEdit(moment, moment.record, context) ??
        editsTwice(moment, moment.record, context)
      );
    case "plan.refuse":
      return refusesAgain(moment, moment.record) ?? editsTwice(moment, moment.record, context);
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
function adoptsUnderWork({ before, record }: Moment): Broken | undefined {
  // A recovered unit without any commits need not be run again.
  const isVoid = before.open?.isRecovered === true && "human" in record;
  if (before.open === undefined || isVoid) return undefined;
  return { invariant: "I7", what: `the plan changes under ${before.open.unit}` };
}

/**
 * I19: where a person has to approve plans, no plan of the planner with work that nobody has seen comes into force
 * before somebody approved those bytes. Independent of the predicate in `src`, which is checked here, too.
 */
function adoptsUnapproved(
  { before }: Moment,
  { seq, plan, milestones }: RecordOf<"plan.adopt">,
  { human, planner, policy: { planApproval } }: MomentContext,
): Broken | undefined {
  if (planApproval === undefined || seq === undefined) return undefined;
  const { tasks: limit, usd } = planApproval;
  const isNew = milestones.some(({ name }) => before.plan.every((known) => known.name !== name));
  const tasks = (plans: typeof milestones) => plans.flatMap((one) => one.tasks).length;
  const isSmall = usd === undefined && limit !== undefined && tasks(milestones) <= limit;
  const isSeen = before.planSha !== undefined && !isNew;
  const isNoLonger = limit === undefined || tasks(milestones) <= tasks([...before.plan]);
  if (isSmall || (isSeen && isNoLonger)) return undefined;
  const made = planner.records.find(
    (record) => record.kind === "plan.end" && record.seq === seq && record.plan === plan,
  );
  const from = made?.kind === "plan.end" ? (made.human ?? 0) : Infinity;
  const approved = human.records.some(
    (record, index) => record.kind === "plan.approve" && record.plan === plan && index >= from,
  );
  if (approved) return undefined;
  return {
    invariant: "I19",
    what: `nobody approved the plan ${milestones.map(({ name }) => name).join()}`,
  };
}

/** I8: a completed milestone never changes, and one with a tick stays in the plan, unless a person edits it. */
function changesStanding(
  { before }: Moment,
  { milestones, human }: RecordOf<"plan.adopt">,
): Broken | undefined {
  const changed = before.plan.find((standing) => {
    const isEnded = before.milestones.some(({ name }) => name === standing.name);
    const isBegun =
      human === undefined && (before.ticks.has(standing.name) || wasLeft(before, standing.name));
    if (!isEnded && !isBegun) return false;
    const next = milestones.find(({ name }) => name === standing.name);
    return next?.tasks.join("\n") !== standing.tasks.join("\n");
  });
  if (changed === undefined) return undefined;
  return { invariant: "I8", what: `the plan drops or changes ${changed.name}, which is begun` };
}

/** Whether it was set aside with commits on the branch; in a halted session it may be made smaller. */
function wasLeft({ backed, stalls, stage }: BuilderFold, m: string): boolean {
  return stage.kind !== "halt" && backed.has(m) && stalls.has(m);
}

/** I15: a person's edit stays in force until a plan replaces it that was made for it. */
function undoesEdit(
  { before }: Moment,
  { seq, plan }: RecordOf<"plan.adopt">,
  { planner }: MomentContext,
): Broken | undefined {
  if (seq === undefined) return undefined;
  const made = planner.records.find(
    (record) => record.kind === "plan.end" && record.plan === plan && record.seq === seq,
  );
  const base = made?.kind === "plan.end" ? made.base : undefined;
  if (base === before.planSha) return undefined;
  return { invariant: "I15", what: "a plan comes into force that was made for another plan" };
}

/** I15: an edit is adopted or refused once, and as the person left it. */
function editsTwice(
  { before }: Moment,
  { human: index, plan }: RecordOf<"plan.adopt"> | RecordOf<"plan.refuse">,
  { human }: MomentContext,
): Broken | undefined {
  if (index === undefined) return undefined;
  const said = human.records[index];
  if (said?.kind !== "edit" || said.plan !== plan) {
    return { invariant: "I15", what: `record ${index} of human.log is no such edit` };
  }
  if (index > before.edited) return undefined;
  return { invariant: "I15", what: `the edit ${index} is taken over again` };
}

/** I11: no two plans are refused because of the same version of the request. */
function refusesAgain(
  { before }: Moment,
  { request = Infinity }: RecordOf<"plan.refuse">,
): Broken | undefined {
  if (request > before.requestSeen) return undefined;
  return { invariant: "I11", what: "a plan for a request that was known to be outdated" };
}

/** I11: build attempts without progress are bounded. */
function idle({ after }: Moment, { policy }: MomentContext): Broken | undefined {
  const most = Math.max(0, ...[...after.stalls.values()].map(({ length }) => length));
  if (most <= (policy.stuck?.pause ?? policy.buildAttemptsMax)) return undefined;
  return { invariant: "I11", what: "more build attempts without progress than allowed" };
}

/** I11: fix rounds per boundary, and final passes per stretch of work, are bounded. */
function endless({ after }: Moment, { policy, foreign }: MomentContext): Broken | undefined {
  if (after.stretch.rounds > policy.fixRoundsMax) {
    return { invariant: "I11", what: "more fix rounds than allowed" };
  }
  const stretches = 1 + after.reopens + after.milestones.length;
  if (after.finalN <= stretches * (policy.fixRoundsMax + 1) + foreign) return undefined;
  return { invariant: "I11", what: `final pass ${after.finalN}: an endless loop` };
}

/** I13, and the part of I11 about reopening: each reopen has its own human record. */
function reopensUnasked(
  { before, after }: Moment,
  { human }: MomentContext,
  count: number,
): Broken | undefined {
  const { records } = human;
  const done = lastEndOf(before);
  if (done === undefined || !mayReopen(records.slice(0, count), done)) {
    const last = records[count - 1]?.kind ?? "nothing";
    return { invariant: "I13", what: `a finished session is reopened by ${last}` };
  }
  if (after.reopens <= records.length) return undefined;
  return { invariant: "I11", what: "reopened more often than anybody said anything" };
}

/**
 * Whether human records reopen a session that ended so: independent of the predicate in `src`, which is checked here,
 * too.
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
    return isNew || ["update", "edit", "add", "dismiss"].includes(record.kind);
  });
}
