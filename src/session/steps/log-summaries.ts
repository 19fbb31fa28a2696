import type { Oid } from "../../base/oid.ts";
import type { Role } from "../../base/role.ts";
import { answerOnBase, type BaseAnswer } from "../state/base-outcome.ts";
import { isSpent, type BuilderFold, type FixAttempt } from "../state/builder-state.ts";
import { reopens, type HumanEdit, type HumanFold, type HumanItem } from "../state/fold-human.ts";
import { isStalemate, judgedKey, type JudgeFold } from "../state/fold-judge.ts";
import { openerOf } from "../../fs-protocol/records/item-id.ts";
import type { PlanAnswer, PlannerFold } from "../state/fold-planner.ts";
import { isAtEnd } from "../state/stage.ts";
import type { SupervisorFold } from "../state/fold-supervisor.ts";
import { pendingEdit } from "../rules/plan-edit.ts";
import { holdsUp, type Policy } from "../../fs-protocol/home/policy.ts";
import { answerOnRemote, type RemoteAnswer } from "../state/remote-push.ts";
import { placeOf, type Branch } from "../state/session-state.ts";
import { fixBatches } from "./fix-batches.ts";

/**
 * What the builder takes from each other log. A log may be seen late, as any prefix of itself, so
 * each of these digests holds only facts that, once true, stay true until the builder itself acts
 * (coordination, principle 2). Small on purpose: the exhaustive exploration of the decisions
 * enumerates every digest that some prefix can give.
 */
export interface PlannerSummary {
  /** The oldest staged plan that is neither adopted nor refused. */
  readonly next: PlanAnswer | undefined;
  readonly boundary: number;
  readonly request: number;
  readonly gaveUpAtReopens: number | undefined;
}

export interface HumanSummary {
  readonly count: number;
  readonly updates: number;
  /** Of each opener: one past the last `add` or `dismiss` that it takes over. */
  readonly itemsEnd: Readonly<Record<"reviewer" | "tester", number>>;
  /** The newest edit of TASKS.md, unless it was adopted or refused. */
  readonly edit: HumanEdit | undefined;
  readonly unanswered: readonly string[];
  /** What was answered to the question about the base, where that is the last one asked. */
  readonly onBase: BaseAnswer | undefined;
  /** What was answered to the question about the remote, where that is the last one asked. */
  readonly onRemote: RemoteAnswer | undefined;
  readonly stopped: boolean;
  readonly paused: boolean;
  /** What is only reported is to be fixed, too. */
  readonly fixesAll: boolean;
  /** Something beyond `done.human` reopens. */
  readonly reopens: boolean;
}

export interface JudgeSummary {
  readonly settled: boolean;
  readonly open: readonly string[];
  readonly fixable: readonly string[];
  /** Those of them that are left to people, unless one says otherwise. */
  readonly reported: readonly string[];
  /** Those of them that are similar enough to share a turn. */
  readonly batches: readonly (readonly string[])[];
  readonly human: number;
  readonly finalAt: Oid | undefined;
  /** Verify was seen at `finalAt`, and is not red there, or a person let that pass. */
  readonly isFinalVerified: boolean;
  readonly gaveup: readonly string[];
}

/** Digest of the planner's log. */
export function summarizePlanner(planner: PlannerFold, own: BuilderFold): PlannerSummary {
  const last = planner.answers.at(-1);
  return {
    next: planner.answers.find(({ seq, staged }) => staged !== undefined && seq > own.adjudicated),
    boundary: last?.boundary ?? -1,
    request: last?.request ?? -1,
    gaveUpAtReopens: last?.gaveUpAtReopens,
  };
}

/** Digest of human.log. */
export function summarizeHuman(human: HumanFold, own: BuilderFold): HumanSummary {
  return {
    count: human.events.length,
    updates: human.updates,
    itemsEnd: { reviewer: itemsEnd(human, "reviewer"), tester: itemsEnd(human, "tester") },
    edit: pendingEdit(human, own),
    unanswered: own.questions.filter(({ id }) => !human.answers.has(id)).map(({ id }) => id),
    onBase: answerOnBase(own, human),
    onRemote: answerOnRemote(own, human),
    stopped: human.stopped,
    paused: human.paused,
    fixesAll: human.fixesAll,
    reopens: own.stage.kind === "done" && reopens(human, own.stage.end),
  };
}

/** Digest of the supervisor's log. */
export function summarizeSupervisor(supervisor: SupervisorFold): readonly Role[] {
  return [...supervisor.failed.keys()];
}

/** What a person says of items of one opener, which takes it over: nobody else does. */
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

/** Successful fixes (and `nochange` claims) of the judge's own items that it has not judged yet, oldest first. */
export function unjudgedFixes(
  judge: JudgeFold,
  role: "reviewer" | "tester",
  builder: BuilderFold,
): readonly FixAttempt[] {
  return [...builder.fixes]
    .filter(([id]) => openerOf(id) === role)
    .flatMap(([, attempts]) => attempts)
    .filter(
      ({ id, attempt, outcome }) =>
        outcome !== "failed" && !judge.judged.has(judgedKey(id, attempt)),
    );
}

/** What of a judge's log is needed beside it. */
export interface JudgeContext {
  readonly own: BuilderFold;
  readonly branch: Branch;
  readonly policy: Policy;
}

/** Digest of the reviewer's or the tester's log: what they still owe, and what is open. */
export function summarizeJudge(
  role: "reviewer" | "tester",
  judge: JudgeFold,
  { own, branch, policy }: JudgeContext,
): JudgeSummary {
  const awaiting = unjudgedFixes(judge, role, own);
  const answeredAll =
    own.milestones.every(({ name }) => judge.answered.has(name)) &&
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
 * Whether an item is left to people: a finding of a reviewer's or a bug of the tester's, where nothing that was
 * found is to be fixed. What a person adds is meant to be fixed.
 */
export function isOnlyReported(
  { items }: JudgeFold,
  id: string,
  { noFix = false }: Policy,
): boolean {
  return noFix && items.get(id)?.reviewer !== "human";
}

/**
 * In FINAL and HALT the branch as it stands now. In a window the builder's own last commit where each
 * commit is reviewed by itself; otherwise its milestones and fixes have answers, and what else is there
 * belongs to the next milestone.
 */
function reachesGoal(judge: JudgeFold, { own, branch, policy }: JudgeContext): boolean {
  const { reviewPerCommit = 0 } = policy;
  const inWindow = reviewPerCommit > 0 ? 0 : placeOf(branch, own.ownEnd);
  const goal = own.stage.kind === "window" ? inWindow : branch.commits.length;
  return placeOf(branch, judge.checkpoint) >= goal;
}
