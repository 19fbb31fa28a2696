import { foldBaseEnd } from "./base-outcome.ts";
import type { BuilderRecord } from "../../fs-protocol/records/builder-log.ts";
import { adoptedBy } from "../commands/adopted-commands.ts";
import { buildOrder, currentMilestone } from "../rules/build-order.ts";
import { isSpent, verifyKey, type BuilderFold, type VerifyResult } from "./builder-state.ts";
import { ranKey } from "../../fs-protocol/records/command-result.ts";
import { ask, foldBuildEnd, foldHintEnd, without } from "./fold-build.ts";
import { foldOpenUnit } from "./open-unit.ts";
import { withOwn } from "./own-commits.ts";
import { haltOf, isAtEnd, type BuilderStage } from "./stage.ts";
import type { Policy } from "../../fs-protocol/home/policy.ts";
import { foldRemotePush } from "./remote-push.ts";
import { decodeBatch } from "../../fs-protocol/records/item-id.ts";

type RecordOf<K extends BuilderRecord["kind"]> = Extract<BuilderRecord, { readonly kind: K }>;

/** Applies one record of `builder.log`. Records that are only written for people change nothing. */
export function foldBuilder(fold: BuilderFold, record: BuilderRecord, policy: Policy): BuilderFold {
  switch (record.kind) {
    case "plan.adopt":
      return adopt(fold, record, policy);
    case "plan.refuse":
      return refuse(fold, record);
    case "push.intent":
      return intend(fold, record);
    case "verify.result":
      return { ...fold, verified: withVerified(fold, record), baseline: baselineOf(fold, record) };
    case "verify.adopt":
      return { ...fold, adopted: adoptedBy(fold, record, policy) };
    case "base.end":
      return foldBaseEnd(fold, record, policy.redBase);
    case "command.result":
      return { ...fold, ran: new Map(fold.ran).set(ranKey(record), record) };
    case "build.end":
      return foldBuildEnd(fold, record);
    case "remote.push":
      return foldRemotePush(fold, record);
    case "hint.end":
      return foldHintEnd(fold, record);
    case "drain.close":
      return closeWindow(fold, record);
    case "fix.end":
      return endFix(fold, record, policy);
    case "final.open":
      return openFinal(fold, record.n);
    case "halt": {
      const { reason, explanation } = record;
      return { ...fold, stage: { kind: "halt", halt: { reason, explanation } } };
    }
    case "done":
      return follows(fold, record, policy) ? end(fold, record) : fold;
    case "reopen":
      return reopen(fold, record);
    case "unit.begin":
      return withOpen(withMilestoneBase(fold, record, policy), foldOpenUnit(fold.open, record));
    default:
      return withOpen(fold, foldOpenUnit(fold.open, record));
  }
}

function openFinal(fold: BuilderFold, finalN: number): BuilderFold {
  const { stretch } = fold;
  const rounds = stretch.isFinal ? stretch.rounds : 0;
  return {
    ...fold,
    stage: { kind: "final" },
    finalN,
    stretch: { ...stretch, rounds, isFinal: true },
  };
}

/**
 * Whether an end is consistent with the records before it. A builder ends only if nothing is left
 * to build or it halted, and it is complete only with a plan whose milestones are all recorded. Any
 * other end was not written by a builder and is ignored.
 */
function follows(fold: BuilderFold, record: RecordOf<"done">, policy: Policy): boolean {
  const { stage, planSha, open } = fold;
  if (open !== undefined) return false;
  if (record.how === "stuck") return isAtEnd(fold);
  if (stage.kind !== "final" || planSha === undefined) return false;
  return currentMilestone(fold, policy) === undefined && record.open.length === 0;
}

function end(fold: BuilderFold, record: RecordOf<"done">): BuilderFold {
  return {
    ...fold,
    stage: { kind: "done", end: record, halt: haltOf(fold) },
    human: record.human,
    wasComplete: fold.wasComplete || record.how === "complete",
  };
}

function withMilestoneBase(
  fold: BuilderFold,
  { base }: RecordOf<"unit.begin">,
  policy: Policy,
): BuilderFold {
  const m = fold.stage.kind === "build" ? currentMilestone(fold, policy)?.name : undefined;
  if (m === undefined || base === undefined || fold.milestoneBases.has(m)) return fold;
  return { ...fold, milestoneBases: new Map(fold.milestoneBases).set(m, base) };
}

function withOpen(fold: BuilderFold, open: BuilderFold["open"]): BuilderFold {
  return open === fold.open ? fold : { ...fold, open };
}

function adopt(fold: BuilderFold, record: RecordOf<"plan.adopt">, policy: Policy): BuilderFold {
  const next: BuilderFold = {
    ...(record.human === undefined ? fold : adoptEdit(fold, record, record.human)),
    plan: record.milestones,
    planSha: record.plan,
    planRequest: record.request,
    adjudicated: record.seq ?? fold.adjudicated,
    lastRefusal: undefined,
    rejected: undefined,
    stalls: NO_STALLS,
    hints: without(fold.hints, (m) => !isSameMilestone(m, fold.plan, record.milestones)),
  };
  return isResumed(next, policy) ? { ...next, stage: { kind: "build" } } : next;
}

/** Whether a plan that comes into force starts or resumes building. */
function isResumed(fold: BuilderFold, policy: Policy): boolean {
  switch (fold.stage.kind) {
    case "plan":
    case "halt":
      return true;
    case "final":
      return buildOrder(fold, policy).length > 0;
    case "build":
    case "window":
    case "fix":
    case "done":
      return false;
  }
}

const NO_STALLS: BuilderFold["stalls"] = new Map();

function isSameMilestone(m: string, ...plans: readonly BuilderFold["plan"][]): boolean {
  const [one, other] = plans.map((plan) => plan.find(({ name }) => name === m));
  return one !== undefined && JSON.stringify(one) === JSON.stringify(other);
}

/**
 * Adopts a person's edit. Boxes of unrecorded milestones are as the person left them. If the edit
 * restores a plan for an older request, the planner has to plan again, under another key.
 */
function adoptEdit(fold: BuilderFold, record: RecordOf<"plan.adopt">, human: number): BuilderFold {
  const recorded = fold.milestones.flatMap(({ name }) => {
    const tasks = fold.ticks.get(name);
    return tasks === undefined ? [] : [[name, tasks] as const];
  });
  const ticked = (record.ticks ?? []).map(({ m, tasks }) => [m, new Set(tasks)] as const);
  return {
    ...seenEdit(fold, human),
    ticks: new Map([...ticked.filter(([, tasks]) => tasks.size > 0), ...recorded]),
    refusals: record.request < fold.planRequest ? fold.refusals + 1 : fold.refusals,
    // A recovered unit of which nothing was found may not be in the edited plan any more.
    open: undefined,
  };
}

function seenEdit(fold: BuilderFold, human: number): BuilderFold {
  return { ...fold, edited: human, human: Math.max(fold.human, human + 1) };
}

function refuse(fold: BuilderFold, record: RecordOf<"plan.refuse">): BuilderFold {
  if (record.human !== undefined) return seenEdit(fold, record.human);
  return {
    ...fold,
    adjudicated: record.seq ?? fold.adjudicated,
    rejected: record.request === undefined ? undefined : record.plan,
    requestSeen: Math.max(fold.requestSeen, record.request ?? 0),
    refusals: fold.refusals + 1,
    lastRefusal: record.reason,
  };
}

function intend(fold: BuilderFold, record: RecordOf<"push.intent">): BuilderFold {
  if (fold.open?.unit !== record.unit) return fold;
  const { shas, ticks, splits, said } = record;
  const recorded = said === undefined ? {} : { said };
  return { ...fold, open: { ...fold.open, intent: { shas, ticks, splits, ...recorded } } };
}

function withVerified(fold: BuilderFold, record: RecordOf<"verify.result">) {
  const { outcome, failing, tally, output, setup, at, took, ran, network } = record;
  const { looks, split, ci } = record;
  const key = verifyKey(record.command, record.tree);
  // Delete the key first, so that the newest result comes last in the map even if it replaces an
  // older one.
  // An answer about the base may have replaced the command: what another one showed there counts no more.
  const isReplaced = fold.baseOutcome?.kind === "asked";
  const isOther = (known: string) => isReplaced && !known.startsWith(verifyKey(record.command, ""));
  const verified = new Map(
    [...fold.verified].filter(([known]) => known !== key && !isOther(known)),
  );
  const measured = { took, ran, network, ci, looks, split };
  return verified.set(key, { outcome, failing, tally, output, setup, at, ...measured });
}

/**
 * Before there is a plan, and while a person is asked about the base, verify runs only at the base.
 */
function baselineOf(
  { baseline, baseOutcome, stage }: BuilderFold,
  record: RecordOf<"verify.result">,
): VerifyResult | undefined {
  const { outcome, failing, tally, output, took, ran, network, ci, looks, split } = record;
  if (stage.kind !== "plan" && baseOutcome?.kind !== "asked") return baseline;
  const isSame =
    baseline?.outcome === outcome && baseline.failing?.join("\n") === failing?.join("\n");
  const isThere = isSame && baseline.network === network && baseline.ci === ci;
  const seen = { outcome, failing, tally, output, took, ran, ci, looks, split };
  return isThere ? baseline : { ...seen, network };
}

function closeWindow(fold: BuilderFold, record: RecordOf<"drain.close">): BuilderFold {
  if (record.fix.length === 0) {
    return { ...fold, stage: { kind: "build" }, remote: { ...fold.remote, isDue: true } };
  }
  const batches = (record.batches ?? []).map(decodeBatch);
  const stretch = { ...fold.stretch, rounds: fold.stretch.rounds + 1 };
  return { ...fold, stage: { kind: "fix", list: record.fix, batches }, stretch };
}

function endFix(fold: BuilderFold, record: RecordOf<"fix.end">, policy: Policy): BuilderFold {
  const { unit, attempt, outcome, sha, reason, output } = record;
  const ended = { ...fold, open: undefined };
  if (outcome === "needs_input" || outcome === "blocked") {
    return { ...ended, questions: ask(fold.questions, record) };
  }
  const ids = fixedIds(record);
  const fixes = new Map(fold.fixes);
  for (const id of ids) {
    const attempts = fold.fixes.get(id) ?? [];
    fixes.set(id, [...attempts, { id, unit, attempt, outcome, sha, reason, output }]);
  }
  const tried: BuilderFold = {
    ...ended,
    fixes,
    ownEnd: outcome === "fixed" ? sha : fold.ownEnd,
    own: outcome === "fixed" && sha !== undefined ? withOwn(fold.own, [sha]) : fold.own,
  };
  const spent = ids.filter((id) => isSpent(tried, id, policy));
  const leaving = outcome === "failed" ? spent : ids;
  const stretch = { ...fold.stretch, spent: [...fold.stretch.spent, ...spent] };
  const stage = stageAfterFix(fold.stage, Date.parse(record.time), { ids, leaving });
  return { ...tried, stretch, stage };
}

/**
 * Continues the round without the items that leave it, or opens a window in which the openers judge
 * the fixes.
 */
function stageAfterFix(
  stage: BuilderStage,
  openedMs: number,
  { ids, leaving }: { readonly ids: readonly string[]; readonly leaving: readonly string[] },
): BuilderStage {
  const { list, batches } = stage.kind === "fix" ? stage : { list: [], batches: [] };
  const rest = list.filter((id) => !leaving.includes(id));
  if (rest.length === 0) return { kind: "window", openedMs };
  // Findings that failed as a batch are tried one by one, because one fix may have broken another.
  const whole = batches.filter((batch) => !batch.some((id) => ids.includes(id)));
  return { kind: "fix", list: rest, batches: whole };
}

/** Returns the findings, or the bug, that a fix is about. */
export function fixedIds({ id, also = [] }: RecordOf<"fix.end">): readonly string[] {
  return [id, ...also.map((other) => other.id)];
}

function reopen(fold: BuilderFold, record: RecordOf<"reopen">): BuilderFold {
  return {
    ...fold,
    stage:
      fold.plan.length > 0
        ? { kind: "window", openedMs: Date.parse(record.time) }
        : { kind: "plan" },
    human: record.human,
    reopens: fold.reopens + 1,
    stretch: { ...fold.stretch, rounds: 0, isFinal: false },
    stalls: NO_STALLS,
    forgiven: new Map([...fold.fixes].map(([id, attempts]) => [id, attempts.length])),
  };
}
