import type { BuilderRecord } from "../../../src/fs-protocol/records/builder-log.ts";
import { EMPTY_BUILDER } from "../../../src/session/state/builder-state.ts";
import { foldBuilder } from "../../../src/session/state/fold-builder.ts";
import { EMPTY_HUMAN, foldHuman } from "../../../src/session/state/fold-human.ts";
import { EMPTY_JUDGE } from "../../../src/session/state/fold-judge.ts";
import { EMPTY_PLANNER, foldPlanner } from "../../../src/session/state/fold-planner.ts";
import { EMPTY_SUPERVISOR, foldSupervisor } from "../../../src/session/state/fold-supervisor.ts";
import type { HumanRecord } from "../../../src/fs-protocol/records/human-log.ts";
import type { PlannerRecord } from "../../../src/fs-protocol/records/planner-log.ts";
import { DEFAULT_POLICY } from "../../rig/default-policy.ts";
import { branchOf, type SessionState } from "../../../src/session/state/session-state.ts";
import type { SupervisorRecord } from "../../../src/fs-protocol/records/supervisor-log.ts";

export const TIME = "2026-11-21T12:00:00.000Z";
export const BASE = "b".repeat(40);

export interface Logs {
  readonly builder?: readonly BuilderRecord[];
  readonly planner?: readonly PlannerRecord[];
  readonly human?: readonly HumanRecord[];
  readonly supervisor?: readonly SupervisorRecord[];
  /** HEAD of the branch; `undefined` for a deleted one. */
  readonly head?: string | undefined;
}

/** The state that these logs fold to. */
export function sessionOf(logs: Logs): SessionState {
  const head = "head" in logs ? logs.head : BASE;
  return {
    policy: DEFAULT_POLICY,
    builder: (logs.builder ?? []).reduce(
      (fold, record) => foldBuilder(fold, record, DEFAULT_POLICY),
      EMPTY_BUILDER,
    ),
    planner: (logs.planner ?? []).reduce(foldPlanner, EMPTY_PLANNER),
    reviewer: EMPTY_JUDGE,
    tester: EMPTY_JUDGE,
    human: (logs.human ?? []).reduce(foldHuman, EMPTY_HUMAN),
    supervisor: (logs.supervisor ?? []).reduce(foldSupervisor, EMPTY_SUPERVISOR),
    branch: branchOf(BASE, head, []),
  };
}

/** The builder's records of a session that ended, after a plan without work. */
export function done(how: "complete" | "stuck", human = 0): readonly BuilderRecord[] {
  const sets = { open: [], gaveup: [], failed: [] };
  return [
    { kind: "plan.adopt", time: TIME, seq: 0, plan: "0".repeat(64), request: 0, milestones: [] },
    { kind: "final.open", time: TIME, n: 1, at: BASE },
    { kind: "done", time: TIME, how, head: BASE, ...sets, human, reason: "" },
  ];
}

/** The planner asks a question before it can plan. */
export const PLANNER_ASKS: PlannerRecord = {
  kind: "plan.end",
  time: TIME,
  unit: "plan:b0:r0",
  seq: 0,
  boundary: 0,
  request: 0,
  outcome: "needs_input",
  question: "q1",
  ask: "Which database?",
};

const FINDING = {
  id: "R-123456",
  level: "blocking",
  reviewer: "human",
  category: "bug",
  brief: "It is broken",
  issue: "It is broken",
  suggestion: "Mend it",
} as const;

/** One record of each kind that a person can write. */
export const HUMAN: { readonly [K in HumanRecord["kind"]]: HumanRecord } = {
  update: { kind: "update", time: TIME, v: 1, sha256: "" },
  answer: { kind: "answer", time: TIME, question: "q1", text: "Yes" },
  pause: { kind: "pause", time: TIME },
  resume: { kind: "resume", time: TIME },
  stop: { kind: "stop", time: TIME },
  add: { kind: "add", time: TIME, finding: FINDING },
  dismiss: { kind: "dismiss", time: TIME, id: "R-123456", why: "" },
  done: { kind: "done", time: TIME, at: "0".repeat(40) },
  abandon: { kind: "abandon", time: TIME },
  approve: { kind: "approve", time: TIME },
  "plan.approve": { kind: "plan.approve", time: TIME, plan: "a".repeat(64) },
  reject: { kind: "reject", time: TIME },
  revise: { kind: "revise", time: TIME, revision: 1 },
  budget: { kind: "budget", time: TIME, of: "session", limits: { usd: 5 } },
  "budget.give": { kind: "budget.give", time: TIME, id: "a.1", to: "b", amounts: { usd: 1 } },
  "budget.grant": { kind: "budget.grant", time: TIME, id: "b.1", from: "b", amounts: { usd: 1 } },
  restart: { kind: "restart", time: TIME, role: "tester" },
  moved: { kind: "moved", time: TIME, to: "ssh:build", id: "a" },
  edit: {
    kind: "edit",
    time: TIME,
    plan: "ed17".padEnd(64, "0"),
    request: 0,
    milestones: [],
    ticks: [],
    cleared: [],
  },
};
