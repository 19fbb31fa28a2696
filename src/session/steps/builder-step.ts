import type { Role } from "../../base/role.ts";
import { isBaseUnjudged, questionAnsweredBefore, type BaseAnswer } from "../state/base-outcome.ts";
import { currentMilestone, dueHint, stalledAttempts } from "../rules/build-order.ts";
import { currentFix } from "../state/stage.ts";
import type { BaseOutcome, BuilderFold } from "../state/builder-state.ts";
import { ticksAfterEdit } from "../rules/plan-edit.ts";
import { stagesOf, type Policy } from "../../fs-protocol/home/policy.ts";
import { isBehindRemote } from "../state/remote-push.ts";
import type { Branch } from "../state/session-state.ts";
import type { HumanEdit } from "../state/fold-human.ts";
import { encodeUnit } from "../../fs-protocol/records/unit-key.ts";
import { isPlanApproved, needsApproval } from "../rules/plan-approval.ts";
import { editMisfit, planMisfit } from "./plan-fits.ts";
import type { HumanSummary, JudgeSummary, PlannerSummary } from "./log-summaries.ts";
import { waitFor, type BuilderStep } from "./step.ts";

/** All facts that the builder's next step depends on. */
export interface BuilderView {
  readonly own: BuilderFold;
  readonly planner: PlannerSummary;
  readonly reviewer: JudgeSummary;
  readonly tester: JudgeSummary;
  readonly human: HumanSummary;
  readonly failed: readonly Role[];
  readonly branch: Branch;
  readonly policy: Policy;
  /** Whether the session has verify commands; without them the base needs no verdict. */
  readonly hasVerify: boolean;
  /** Whether the branch is pushed to a remote at boundaries. */
  readonly hasRemote: boolean;
  /**
   * When the drain limits of all these roles have expired, in milliseconds since 1970; undefined
   * while the clock of one of them is stopped.
   */
  readonly drainEndsMs: (waiting: readonly Role[]) => number | undefined;
  readonly nowMs: number;
}

/**
 * Returns the step of the first row that applies in the builder's table
 * (docs/PROTOCOL.md, section 12).
 */
export function builderStep(view: BuilderView): BuilderStep {
  const { own, human, policy } = view;
  if (human.count < own.human) return waitFor({ kind: "old-view" });
  if (human.stopped) return { kind: "exit", reason: "stopped" };
  if (own.stage.kind === "done") {
    if (human.reopens) return { kind: "reopen", human: human.count };
    return { kind: "exit", reason: "done" };
  }
  if (human.paused) return waitFor({ kind: "paused" });
  if (own.open?.isRecovered === false) return { kind: "recover", unit: own.open.unit };
  const unit = encodeUnit({ kind: "base", at: view.branch.base });
  // The base goes first: an edit would end the plan stage, in which nothing but the base is
  // verified.
  if (view.hasVerify && isBaseUnjudged(own, policy.redBase))
    return { kind: "base", unit, isAgain: false };
  const known = questionAnsweredBefore(own, policy.redBase);
  if (known !== undefined) return { kind: "accept-base", unit, question: known, isBefore: true };
  // A person's edit is handled before any work on the plan in force, and before a plan of the
  // planner.
  if (human.edit !== undefined) return judgeEdit(own, human.edit);
  const question = own.questions.find(({ id }) => human.unanswered.includes(id));
  if (question !== undefined) return waitFor({ kind: "question", question });
  if (own.baseOutcome?.kind === "asked")
    return followBaseAnswer(own.baseOutcome, unit, human.onBase);
  return slot(view);
}

/**
 * Only the answer "accept" accepts the base; after any other answer, verify runs again at the base.
 */
function followBaseAnswer(
  { question }: Extract<BaseOutcome, { kind: "asked" }>,
  unit: string,
  answer: BaseAnswer | undefined,
): BuilderStep {
  if (answer === "accept") return { kind: "accept-base", unit, question, isBefore: false };
  return { kind: "base", unit, isAgain: true };
}

function judgeEdit(own: BuilderFold, edit: HumanEdit): BuilderStep {
  const reason = editMisfit(own, edit);
  if (reason !== undefined) return { kind: "refuse-edit", edit, reason };
  return { kind: "adopt-edit", edit, ticks: ticksAfterEdit(own, edit) };
}

function slot(view: BuilderView): BuilderStep {
  const { own } = view;
  switch (own.stage.kind) {
    case "fix":
      return nextFix(own);
    case "build":
      return atBoundary(view) ?? buildPhase(own, view.policy);
    case "plan":
      return judgePlan(view) ?? planPhase(view);
    case "window":
      return judgePlan(view) ?? windowPhase(view);
    case "final":
    case "halt":
    case "done":
      return judgePlan(view) ?? endPhase(view);
  }
}

/** Adopts or refuses a waiting plan of the planner before any work on the plan in force. */
function judgePlan({ own, planner, human, policy }: BuilderView): BuilderStep | undefined {
  const { next: answer } = planner;
  if (answer === undefined) return undefined;
  const reason = planMisfit(own, answer.staged);
  if (reason !== undefined) return { kind: "refuse", answer, reason };
  const isApproved =
    answer.staged !== undefined && isPlanApproved(answer.staged, human.approvedPlans);
  if (isApproved || !needsApproval(own, answer.staged, policy)) return { kind: "adopt", answer };
  // A person who changes the request instead of approving its plan rejects the plan.
  if (answer.request < human.updates) {
    return { kind: "refuse", answer, reason: REQUEST_CHANGED, request: human.updates };
  }
  return waitFor({ kind: "approval", answer });
}

const REQUEST_CHANGED = "nobody approved it, and the request was changed since";

/** Waits for the first plan, or halts if there will be none (R17, R20). */
function planPhase({ own, planner, human, failed }: BuilderView): BuilderStep {
  const gaveUp =
    planner.gaveUpAtReopens !== undefined &&
    planner.gaveUpAtReopens >= own.reopens &&
    planner.request >= human.updates;
  if (gaveUp) return { kind: "halt", why: "no-plan" };
  if (failed.includes("planner")) return { kind: "halt", why: "planner-failed" };
  return waitFor({ kind: "plan" });
}

function nextFix(own: BuilderFold): BuilderStep {
  const ids = currentFix(own);
  const attempt = (own.fixes.get(ids[0] ?? "")?.length ?? 0) + 1;
  return { kind: "fix", ids, attempt, unit: encodeUnit({ kind: "fix", ids, attempt }) };
}

/**
 * Builds the current milestone. If its attempts stall, the stages are: a hint, other milestones
 * first, and in the end a halt (`build-order.ts`).
 */
function buildPhase(own: BuilderFold, policy: Policy): BuilderStep {
  const milestone = currentMilestone(own, policy);
  if (milestone === undefined) return { kind: "final", n: own.finalN + 1 };
  const { name } = milestone;
  if (stalledAttempts(own, name) >= stagesOf(policy).pause) {
    return { kind: "halt", why: "no-progress" };
  }
  const stalled = stalledAttempts(own, name);
  const hint = dueHint(own, name, policy);
  if (hint !== undefined) {
    const { attempts } = hint;
    return {
      kind: "hint",
      milestone,
      attempts,
      stalled,
      unit: encodeUnit({ kind: "hint", milestone: name, attempts }),
    };
  }
  const attempt = (own.buildAttempts.get(name) ?? 0) + 1;
  return {
    kind: "build",
    milestone,
    attempt,
    stalled,
    unit: encodeUnit({ kind: "build", milestone: name, attempt }),
  };
}

/** Returns the roles that still owe an answer (docs/PROTOCOL.md, "What is owed"). */
export function owing(view: BuilderView): readonly Role[] {
  const { own, planner, human, reviewer, tester } = view;
  const gaveUp = planner.gaveUpAtReopens;
  const planned =
    planner.boundary >= own.milestones.length &&
    (own.planRequest >= human.updates ||
      (gaveUp !== undefined && planner.request >= human.updates)) &&
    !(gaveUp !== undefined && gaveUp < own.reopens);
  const roles: Role[] = [];
  if (!planned) roles.push("planner");
  if (!reviewer.settled || reviewer.human < human.itemsEnd.reviewer) roles.push("reviewer");
  if (!tester.settled || tester.human < human.itemsEnd.tester) roles.push("tester");
  return roles;
}

/** Pushes to the remote, if that is due: after a window closed with nothing left to fix. */
function atBoundary(view: BuilderView): BuilderStep | undefined {
  const { isDue, isLeft } = view.own.remote;
  return view.hasRemote && isDue && !isLeft ? remoteStep(view) : undefined;
}

/**
 * Fetches from the remote and pushes to it, unless a person answered that wisp should leave the
 * remote alone: then that is recorded.
 */
function remoteStep({ own, human }: BuilderView): BuilderStep {
  const { ended, question } = own.remote;
  const unit = encodeUnit({ kind: "remote", n: ended + 1 });
  if (question !== undefined && human.onRemote === "leave") {
    return { kind: "leave-remote", unit, question };
  }
  return { kind: "remote", unit, mayMerge: human.onRemote === "merge" };
}

function fixList({ own, policy, human, reviewer, tester }: BuilderView) {
  if (own.stretch.rounds >= policy.fixRoundsMax) return { fix: [], batches: [] };
  const leftToPeople = human.fixesAll ? [] : [...reviewer.reported, ...tester.reported];
  const fix = [...reviewer.fixable, ...tester.fixable].filter((id) => !leftToPeople.includes(id));
  // A batch contains findings of one reviewer, so either all of them are left to people or none.
  const batches = reviewer.batches.filter((ids) => ids.every((id) => fix.includes(id)));
  return { fix, batches };
}

function areLost(waiting: readonly Role[], failed: readonly Role[]): boolean {
  return waiting.length > 0 && waiting.every((role) => failed.includes(role));
}

function windowPhase(view: BuilderView): BuilderStep {
  const waiting = owing(view);
  const round = fixList(view);
  if (waiting.length === 0) return { kind: "close", cause: "all", waiting, ...round };
  if (areLost(waiting, view.failed)) return { kind: "close", cause: "failed", waiting, ...round };
  const endsMs = view.drainEndsMs(waiting);
  if (endsMs !== undefined && view.nowMs >= endsMs) {
    return { kind: "close", cause: "timeout", waiting, ...round };
  }
  return waitFor({ kind: "roles", roles: waiting }, endsMs);
}

/**
 * The FINAL and HALT stages: they end only by answers or by the failure of all roles that still owe
 * one, never by a timeout (R9, R20).
 */
function endPhase(view: BuilderView): BuilderStep {
  const { own, reviewer, tester, planner, human } = view;
  const waiting = owing(view);
  const open = [...reviewer.open, ...tester.open];
  const gaveup = [
    ...reviewer.gaveup,
    ...tester.gaveup,
    ...(planner.gaveUpAtReopens === undefined ? [] : ["plan"]),
  ];
  const end = { kind: "done", open, gaveup, human: human.count } as const;
  if (areLost(waiting, view.failed)) return { ...end, how: "stuck", failed: waiting };
  if (waiting.length > 0) return waitFor({ kind: "roles", roles: waiting });
  if (own.stage.kind === "halt") return { ...end, how: "stuck", failed: [] };
  const round = fixList(view);
  if (round.fix.length > 0) return { kind: "close", cause: "final", waiting, ...round };
  if (open.length + gaveup.length > 0) return { ...end, how: "stuck", failed: [] };
  const isPassed = tester.finalAt === view.branch.head && tester.isFinalVerified;
  if (!isPassed) return { kind: "final", n: own.finalN + 1 };
  // Pushes commits that the tester or a person added since the last boundary. If that brings in new
  // commits, another final pass may be needed.
  if (view.hasRemote && isBehindRemote(own, view.branch.head)) return remoteStep(view);
  return { ...end, how: "complete", failed: [] };
}
