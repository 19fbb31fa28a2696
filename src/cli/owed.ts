import type { Role } from "../base/role.ts";
import type { Phase } from "../fs-protocol/builder-state.ts";
import { currentMilestone } from "../fs-protocol/build-order.ts";
import { placeOf, type SessionState } from "../fs-protocol/session-state.ts";
import { owing } from "../streams/builder-step.ts";
import { seeHuman, seeJudge, seePlanner, unjudgedFixes } from "../streams/seen.ts";
import { quoted } from "./describe-unit.ts";
import { count } from "./sentence.ts";

/** What a role has to do before the session can go on. */
export interface Debt {
  readonly role: Role;
  /** One piece of work each, in words. */
  readonly what: readonly string[];
}

/** Who owes what: the builder's next work, and what the builder waits for from the others. */
export function owed(state: SessionState): readonly Debt[] {
  if (state.builder.phase === "done") return [];
  const roles = owing({
    own: state.builder,
    planner: seePlanner(state.planner, state.builder),
    reviewer: seeJudge("reviewer", state.reviewer, { ...state, own: state.builder }),
    tester: seeJudge("tester", state.tester, { ...state, own: state.builder }),
    human: seeHuman(state.human, state.builder),
    failed: [],
    branch: state.branch,
    policy: state.policy,
    hasVerify: state.hasVerify ?? false,
    hasRemote: state.hasRemote ?? false,
    drainEndsMs: () => undefined,
    nowMs: 0,
  });
  const others = roles
    .map((role) => ({ role, what: whatOf[role](state) }))
    .filter(({ what }) => what.length > 0 || WAITED_FOR.includes(state.builder.phase));
  const own = ofBuilder(state);
  return own.length === 0 ? others : [{ role: "builder", what: own }, ...others];
}

/** Nothing more is built. */
const AT_END: readonly Phase[] = ["final", "halt"];
/** The builder waits for the others. */
const WAITED_FOR: readonly Phase[] = ["window", ...AT_END];

const whatOf: { readonly [R in Role]: (state: SessionState) => readonly string[] } = {
  planner: ofPlanner,
  builder: ofBuilder,
  reviewer: ofReviewer,
  tester: ofTester,
};

function ofBuilder({ builder, policy }: SessionState): readonly string[] {
  if (builder.phase === "fix") return builder.fixList.map((id) => `a fix of ${id}`);
  const milestone = currentMilestone(builder, policy);
  if (builder.phase !== "build" || milestone === undefined) return [];
  const left = milestone.tasks.length - (builder.ticks.get(milestone.name)?.size ?? 0);
  return [`milestone ${quoted(milestone.name)}, ${count(left, "task")}`];
}

function ofPlanner({ builder, human }: SessionState): readonly string[] {
  if (builder.plan.length === 0) return ["the first plan"];
  if (human.updates > builder.planRequest) return ["a plan for the changed request"];
  return [`a look at the plan after ${count(builder.milestones.length, "milestone")}`];
}

function ofReviewer(state: SessionState): readonly string[] {
  const { builder, reviewer, human, branch, policy } = state;
  // Elsewhere they wait for the milestone that they belong to.
  const isDue = (policy.reviewPerCommit ?? 0) === 0 || AT_END.includes(builder.phase);
  const unread = isDue ? branch.commits.length - placeOf(branch, reviewer.checkpoint) : 0;
  const taken = human.items.filter(({ index }) => index >= reviewer.human).length;
  return [
    ...(taken > 0 ? [count(taken, "remark") + " of yours to take over"] : []),
    ...unjudgedFixes(reviewer, "reviewer", builder).map(({ id }) => `a look at the fix of ${id}`),
    ...(unread > 0 ? [`a review of ${count(unread, "commit")}`] : []),
    ...unanswered(state, "reviewer").map((name) => `a review of milestone ${name}`),
  ];
}

function ofTester(state: SessionState): readonly string[] {
  const { builder, tester } = state;
  const final =
    builder.finalN > tester.finalDone ? [`the final pass ${String(builder.finalN)}`] : [];
  return [
    ...unjudgedFixes(tester, "tester", builder).map(({ id }) => `a look at the fix of ${id}`),
    ...unanswered(state, "tester").map((name) => `a test of milestone ${name}`),
    ...final,
  ];
}

function unanswered(state: SessionState, role: "reviewer" | "tester"): readonly string[] {
  const names = state.builder.milestones.map(({ name }) => name);
  return names.filter((name) => !state[role].answered.has(name)).map(quoted);
}
