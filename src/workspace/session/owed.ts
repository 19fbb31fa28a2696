import type { PerRole, Role } from "../../base/role.ts";
import { haltOf, isAtEnd } from "../../session/state/stage.ts";
import { currentMilestone } from "../../session/rules/build-order.ts";
import { isBaseUnjudged } from "../../session/state/base-outcome.ts";
import type { JudgeFold } from "../../session/state/fold-judge.ts";
import { pendingEdit } from "../../session/rules/plan-edit.ts";
import { placeOf, type SessionState } from "../../session/state/session-state.ts";
import { coordinate } from "../../session/steps/coordinate.ts";
import type { Wait } from "../../session/steps/step.ts";
import { owing } from "../../session/steps/builder-step.ts";
import {
  itemsFor,
  summarizeHuman,
  summarizeJudge,
  summarizePlanner,
  unjudgedFixes,
} from "../../session/steps/log-summaries.ts";
import { quoted, shortSha } from "./describe-unit.ts";
import { count } from "../../base/words/sentence.ts";

/** What a role has to do before the session can continue. */
export interface Debt {
  readonly role: Role;
  /** Each entry describes one piece of work. */
  readonly what: readonly string[];
}

/** What each role owes: the builder's next work, and the work of other roles that the builder waits for. */
export function owed(state: SessionState): readonly Debt[] {
  if (state.builder.stage.kind === "done") return [];
  const roles = owing({
    own: state.builder,
    planner: summarizePlanner(state.planner, state.builder),
    reviewer: summarizeJudge("reviewer", state.reviewer, { ...state, own: state.builder }),
    tester: summarizeJudge("tester", state.tester, { ...state, own: state.builder }),
    human: summarizeHuman(state.human, state.builder),
    failed: [],
    branch: state.branch,
    policy: state.policy,
    hasVerify: state.hasVerify ?? false,
    hasRemote: state.hasRemote ?? false,
    drainEndsMs: () => undefined,
    nowMs: 0,
  });
  const others = roles
    .filter((role) => hasItsTurn(role, state))
    .map((role) => ({ role, what: WORK[role].owes(state) }))
    .filter(({ what }) => what.length > 0);
  const own = ofBuilder(state);
  return own.length === 0 ? others : [{ role: "builder", what: own }, ...others];
}

/** Whether a role has something to do next, according to the same predicate that the role itself uses. */
function hasItsTurn(role: Role, state: SessionState): boolean {
  // The time does not matter here, because only the builder has a drain window.
  const step = coordinate(role, state, 0);
  return step.kind !== "wait" || !NOT_YET.includes(step.reason.kind);
}

/** The role has nothing to do, or others come first. */
const NOT_YET: readonly Wait["reason"]["kind"][] = ["idle", "plan-undecided"];

/** What there is to tell of the work of one role. */
interface RoleWork {
  /** What it has to do, each entry one piece of work. */
  readonly owes: (state: SessionState) => readonly string[];
  /** Whether it gave up work that a complete session would have needed. */
  readonly hasGivenUp: (state: SessionState) => boolean;
}

const WORK: PerRole<RoleWork> = {
  planner: {
    owes: ofPlanner,
    hasGivenUp: ({ planner }) => planner.answers.at(-1)?.gaveUpAtReopens !== undefined,
  },
  builder: {
    owes: ofBuilder,
    hasGivenUp: ({ builder }) => haltOf(builder) !== undefined && builder.plan.length > 0,
  },
  reviewer: { owes: ofReviewer, hasGivenUp: ({ reviewer }) => reviewer.gaveUp.size > 0 },
  tester: {
    owes: ofTester,
    hasGivenUp: ({ tester }) => tester.gaveUp.size > 0 || tester.finalGaveUp,
  },
};

/** Whether a role gave up work that a complete session would have needed. */
export function hasGivenUp(role: Role, state: SessionState): boolean {
  return WORK[role].hasGivenUp(state);
}

function ofBuilder(state: SessionState): readonly string[] {
  const { builder, policy, hasVerify = false } = state;
  const isBuilding = builder.stage.kind === "build";
  if (builder.stage.kind === "fix") return builder.stage.list.map((id) => `a fix of ${id}`);
  if (hasVerify && isBaseUnjudged(builder, policy.redBase)) return ["a verify run at the base"];
  if (!isBuilding && isPlanUndecided(state)) return ["a decision on the new plan"];
  const milestone = currentMilestone(builder, policy);
  if (!isBuilding || milestone === undefined) return [];
  const left = milestone.tasks.length - (builder.ticks.get(milestone.name)?.size ?? 0);
  return [`milestone ${quoted(milestone.name)}, ${count(left, "task")}`];
}

/** Whether the builder has yet to adopt or refuse a plan, or a person's edit of it. */
function isPlanUndecided({ builder, planner, human }: SessionState): boolean {
  const staged = summarizePlanner(planner, builder).next;
  return staged !== undefined || pendingEdit(human, builder) !== undefined;
}

function ofPlanner({ builder, human }: SessionState): readonly string[] {
  if (builder.plan.length === 0) return ["the first plan"];
  if (human.updates > builder.planRequest) return ["a plan for the changed request"];
  return [`a check of the plan after ${count(builder.milestones.length, "milestone")}`];
}

function ofReviewer(state: SessionState): readonly string[] {
  const { builder, reviewer, human, branch, policy } = state;
  // Otherwise the commits wait for the review of their milestone.
  const isDue = (policy.reviewPerCommit ?? 0) === 0 || isAtEnd(builder);
  const unread = isDue ? branch.commits.length - placeOf(branch, reviewer.checkpoint) : 0;
  return [
    ...remarks(human, "reviewer", reviewer),
    ...unjudgedFixes(reviewer, "reviewer", builder).map(
      ({ id }) => `a verdict on the fix of ${id}`,
    ),
    ...(unread > 0 ? [`a review of ${count(unread, "commit")}`] : []),
    ...unanswered(state, "reviewer").map((name) => `a review of milestone ${name}`),
    ...givenUp(state, "reviewer").map((what) => `another review of ${what}`),
  ];
}

function ofTester(state: SessionState): readonly string[] {
  const { builder, tester, human } = state;
  const final =
    builder.finalN > tester.finalDone ? [`the final pass ${String(builder.finalN)}`] : [];
  return [
    ...remarks(human, "tester", tester),
    ...unjudgedFixes(tester, "tester", builder).map(({ id }) => `a verdict on the fix of ${id}`),
    ...unanswered(state, "tester").map((name) => `a test of milestone ${name}`),
    ...givenUp(state, "tester").map((what) => `another test of ${what}`),
    ...final,
  ];
}

/** A person's remarks on items that the opener has not recorded yet. */
function remarks(
  human: SessionState["human"],
  opener: "reviewer" | "tester",
  own: Pick<JudgeFold, "human">,
): readonly string[] {
  const left = itemsFor(human, opener).filter(({ index }) => index >= own.human).length;
  return left === 0 ? [] : [`${count(left, "remark")} of yours to record`];
}

/** Units that were given up before the session was reopened, which are tried once more. */
function givenUp({ builder, ...state }: SessionState, role: "reviewer" | "tester") {
  return [...state[role].gaveUp.values()]
    .filter(({ atReopens }) => atReopens < builder.reopens)
    .map(({ of, subject }) =>
      of === "milestone" ? `milestone ${quoted(subject)}` : `commit ${shortSha(subject)}`,
    );
}

function unanswered(state: SessionState, role: "reviewer" | "tester"): readonly string[] {
  const names = state.builder.milestones.map(({ name }) => name);
  return names.filter((name) => !state[role].answered.has(name)).map(quoted);
}
