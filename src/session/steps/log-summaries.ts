import { onceForPair } from "../../base/once-for-pair.ts";
import type { Oid } from "../../base/oid.ts";
import type { Role } from "../../base/role.ts";
import { answerOnBase, type BaseAnswer } from "../state/base-outcome.ts";
import { isSpent, type BuilderFold, type FixAttempt } from "../state/builder-state.ts";
import {
  reopens,
  type HumanEdit,
  type HumanFold,
  type HumanItem,
  type PlanApproved,
} from "../state/fold-human.ts";
import { isStalemate, judgedKey, type JudgeFold } from "../state/fold-judge.ts";
import { isUnanswered } from "../state/open-unit.ts";
import { openerOf } from "../../fs-protocol/records/item-id.ts";
import type { PlanAnswer, PlannerFold } from "../state/fold-planner.ts";
import { oldestUnanswered } from "./oldest-unanswered.ts";
import { isAtEnd } from "../state/stage.ts";
import type { SupervisorFold } from "../state/fold-supervisor.ts";
import { pendingEdit } from "../rules/plan-edit.ts";
import { holdsUp, type Policy } from "../../fs-protocol/home/policy.ts";
import { answerOnRemote, type RemoteAnswer } from "../state/remote-push.ts";
import { placeOf, type Branch } from "../state/session-state.ts";
import { fixBatches } from "./fix-batches.ts";

/**
 * What the builder uses of the other logs. A log may be read late, as any prefix of itself, so
 * these summaries hold only facts that, once true, stay true until the builder itself acts
 * (docs/PROTOCOL.md, section 12). They are kept small because the exhaustive exploration of the
 * decisions enumerates every summary that some prefix can give.
 */
export interface PlannerSummary {
  /** The oldest staged plan that is neither adopted nor refused yet. */
  readonly next: PlanAnswer | undefined;
  readonly boundary: number;
  readonly request: number;
  readonly gaveUpAtReopens: number | undefined;
}

export interface HumanSummary {
  readonly count: number;
  readonly updates: number;
  /**
   * For each opener of items: one past the place of the last `add` or `dismiss` in human.log that
   * is addressed to it.
   */
  readonly itemsEnd: Readonly<Record<"reviewer" | "tester", number>>;
  /** The newest edit of TASKS.md, unless it was adopted or refused. */
  readonly edit: HumanEdit | undefined;
  /** The plans that a person approved. */
  readonly approvedPlans: readonly PlanApproved[];
  readonly unanswered: readonly string[];
  /** The answer to the question about the base, if the builder is waiting for one. */
  readonly onBase: BaseAnswer | undefined;
  /** The answer to the question about the remote, if the builder is waiting for one. */
  readonly onRemote: RemoteAnswer | undefined;
  readonly stopped: boolean;
  readonly paused: boolean;
  /** A person asked to fix the items that are otherwise only reported, too. */
  readonly fixesAll: boolean;
  /** A record after `done.human` reopens the session. */
  readonly reopens: boolean;
}

export interface JudgeSummary {
  readonly settled: boolean;
  readonly open: readonly string[];
  readonly fixable: readonly string[];
  /** Fixable items that are left to people, unless a person asks for them to be fixed. */
  readonly reported: readonly string[];
  /** Fixable items that are similar enough to share a turn. */
  readonly batches: readonly (readonly string[])[];
  readonly human: number;
  readonly finalAt: Oid | undefined;
  /** Verify was run at `finalAt` and is not red there, or a person accepted that. */
  readonly isFinalVerified: boolean;
  readonly gaveup: readonly string[];
}

/** Summarizes the planner's log. */
export function summarizePlanner(planner: PlannerFold, own: BuilderFold): PlannerSummary {
  const last = planner.answers.at(-1);
  return {
    next: planner.answers.find(({ seq, staged }) => staged !== undefined && seq > own.adjudicated),
    boundary: last?.boundary ?? -1,
    request: last?.request ?? -1,
    gaveUpAtReopens: last?.gaveUpAtReopens,
  };
}

/** Summarizes human.log. */
export function summarizeHuman(human: HumanFold, own: BuilderFold): HumanSummary {
  return {
    count: human.events.length,
    updates: human.updates,
    itemsEnd: { reviewer: itemsEnd(human, "reviewer"), tester: itemsEnd(human, "tester") },
    edit: pendingEdit(human, own),
    approvedPlans: human.approvedPlans,
    unanswered: own.questions.filter((one) => isUnanswered(one, human)).map(({ id }) => id),
    onBase: answerOnBase(own, human),
    onRemote: answerOnRemote(own, human),
    stopped: human.stopped,
    paused: human.paused,
    fixesAll: human.fixesAll,
    reopens: own.stage.kind === "done" && reopens(human, own.stage.end),
  };
}

/** Returns the roles that failed, from the supervisor's log. */
export function summarizeSupervisor(supervisor: SupervisorFold): readonly Role[] {
  return [...supervisor.failed.keys()];
}

/**
 * Returns what a person added or dismissed among the items of one opener; only that opener adopts
 * it.
 */
export function itemsFor(
  { items }: HumanFold,
  opener: "reviewer" | "tester",
): readonly HumanItem[] {
  return items.filter(
    (item) => openerOf(item.kind === "add" ? item.finding.id : item.id) === opener,
  );
}

function itemsEnd(human: HumanFold, opener: "reviewer" | "tester"): number {
  return (itemsFor(human, opener).at(-1)?.index ?? -1) + 1;
}

/**
 * Returns the fixes, and `nochange` claims, of the judge's own items that it has not judged yet,
 * oldest first.
 */
export function unjudgedFixes(
  judge: JudgeFold,
  role: "reviewer" | "tester",
  builder: BuilderFold,
): readonly FixAttempt[] {
  return UNJUDGED[role](judge.judged, builder.fixes);
}

const UNJUDGED = {
  reviewer: onceForPair(unjudgedOf("reviewer")),
  tester: onceForPair(unjudgedOf("tester")),
};

function unjudgedOf(role: "reviewer" | "tester") {
  return (judged: JudgeFold["judged"], fixes: BuilderFold["fixes"]): readonly FixAttempt[] =>
    [...fixes]
      .filter(([id]) => openerOf(id) === role)
      .flatMap(([, attempts]) => attempts)
      .filter(
        ({ id, attempt, outcome }) => outcome !== "failed" && !judged.has(judgedKey(id, attempt)),
      );
}

/** What is needed in addition to a judge's log. */
export interface JudgeContext {
  readonly own: BuilderFold;
  readonly branch: Branch;
  readonly policy: Policy;
}

/** Summarizes the reviewer's or the tester's log: what they still owe, and what is open. */
export function summarizeJudge(
  role: "reviewer" | "tester",
  judge: JudgeFold,
  { own, branch, policy }: JudgeContext,
): JudgeSummary {
  const awaiting = unjudgedFixes(judge, role, own);
  const answeredAll =
    oldestUnanswered(judge, own) === undefined &&
    awaiting.length === 0 &&
    [...judge.gaveUp.values()].every(({ atReopens }) => atReopens >= own.reopens);
  const open = [...judge.open].filter((id) => {
    const level = judge.items.get(id)?.level;
    return level !== undefined && holdsUp(level, policy);
  });
  const fixable = open.filter(
    (id) =>
      !isSpent(own, id, policy) &&
      !isStalemate(judge, id, own.reopens) &&
      !awaiting.some((fix) => fix.id === id),
  );
  const finals = role === "tester" && isAtEnd(own);
  const isFinal = own.stage.kind === "final";
  return {
    settled:
      answeredAll &&
      (role === "tester" || reachesGoal(judge, { own, branch, policy })) &&
      (!finals || judge.finalDone >= own.finalN),
    open,
    fixable,
    reported: fixable.filter((id) => isOnlyReported(judge, id, policy)),
    batches: role === "reviewer" ? fixBatches(fixable, judge, { own, policy }) : [],
    human: judge.human,
    finalAt: isFinal ? judge.finalAt : undefined,
    isFinalVerified: isFinal && judge.finalVerify !== undefined && judge.finalVerify !== "red",
    gaveup: [...judge.gaveUp.keys(), ...(judge.finalGaveUp ? [`final ${judge.finalDone}`] : [])],
  };
}

/**
 * Whether an item is only reported and left to people: if `noFix` is set, all findings and bugs
 * except those that a person added, which are always meant to be fixed.
 */
export function isOnlyReported(
  { items }: JudgeFold,
  id: string,
  { noFix = false }: Policy,
): boolean {
  return noFix && items.get(id)?.reviewer !== "human";
}

/**
 * Whether the reviewer's checkpoint is far enough. In FINAL and HALT it must have reached the head
 * of the branch. In a window it must have reached the builder's last own commit if each commit is
 * reviewed on its own; otherwise it does not matter, because milestones and fixes have their own
 * answers and all other commits belong to the next milestone.
 */
function reachesGoal(judge: JudgeFold, { own, branch, policy }: JudgeContext): boolean {
  const { reviewPerCommit = 0 } = policy;
  const windowGoal = reviewPerCommit > 0 ? 0 : placeOf(branch, own.ownEnd);
  const goal = own.stage.kind === "window" ? windowGoal : branch.commits.length;
  return placeOf(branch, judge.checkpoint) >= goal;
}
