import type { BuilderRecord } from "../../src/fs-protocol/records/builder-log.ts";
import { EMPTY_BUILDER, type BuilderFold } from "../../src/session/state/builder-state.ts";
import { foldBuilder } from "../../src/session/state/fold-builder.ts";
import { EMPTY_HUMAN, foldHuman, type HumanFold } from "../../src/session/state/fold-human.ts";
import { EMPTY_JUDGE, foldJudge, type JudgeFold } from "../../src/session/state/fold-judge.ts";
import {
  EMPTY_PLANNER,
  foldPlanner,
  type PlannerFold,
} from "../../src/session/state/fold-planner.ts";
import {
  EMPTY_SUPERVISOR,
  foldSupervisor,
  type SupervisorFold,
} from "../../src/session/state/fold-supervisor.ts";
import type { HumanRecord } from "../../src/fs-protocol/records/human-log.ts";
import type { PlannerRecord } from "../../src/fs-protocol/records/planner-log.ts";
import type { Policy } from "../../src/fs-protocol/home/policy.ts";
import type { ReviewerRecord } from "../../src/fs-protocol/records/reviewer-log.ts";
import { branchOf, type Branch, type SessionState } from "../../src/session/state/session-state.ts";
import type { SupervisorRecord } from "../../src/fs-protocol/records/supervisor-log.ts";
import type { TesterRecord } from "../../src/fs-protocol/records/tester-log.ts";
import { BudgetSpace, type Budget } from "./budget.ts";
import type { Commit } from "./history.ts";
import { LogSpace, type Log } from "./log.ts";
import { BASE } from "./names.ts";
import type { Scenario } from "./scenarios.ts";
import { WorkSpace, type BuildUnit, type TestUnit, type Working } from "./working.ts";

/** Naive rules outside the shipped decisions and folds, which are planted into the world itself. */
export const WORLD_PLANTS = [
  /** R1: the planner replaces the plan in force itself. */
  "planDirect",
  /** R2: an interrupted unit runs again without looking at the branch. */
  "redo",
  /** R3: the reviewer appends its checkpoint, then its findings. */
  "twoAppends",
  /** R8: the final pass counts for the commit that it started from. */
  "atStart",
  /** R13: a done record counts all of human.log as read. */
  "noCursor",
  /** R24: a tick needs a commit in the same turn. */
  "thisTurn",
  /** R24: recovery attributes any commit for the task to the open unit. */
  "anyPush",
  /** R31: a final pass does not verify. */
  "noVerify",
  /** R32: it verifies only before its own commits, and publishes red tests. */
  "verifyBefore",
  /** R33: red tests are published. */
  "redTests",
  /** R34: a final pass does not run the tests of the session's base, or only the first one does. */
  "noBaseTests",
  "baseTestsOnce",
  /** R40: joining a remote's branch with ours rewrites ours, or theirs, or publishes an unverified merge. */
  "rebaseOnRemote",
  "forcePush",
  "mergeUnverified",
] as const;
export type WorldPlant = (typeof WORLD_PLANTS)[number];

export type BuilderLog = Log<BuilderRecord, BuilderFold>;
export type PlannerLog = Log<PlannerRecord, PlannerFold>;
export type ReviewerLog = Log<ReviewerRecord, JudgeFold>;
export type TesterLog = Log<TesterRecord, JudgeFold>;
export type HumanLog = Log<HumanRecord, HumanFold>;
export type SupervisorLog = Log<SupervisorRecord, SupervisorFold>;
export type BranchLog = Log<Commit, Branch>;

/** One state of the explored world: a `History`, the running units, and the remaining budget. */
export interface State {
  readonly builder: BuilderLog;
  readonly planner: PlannerLog;
  readonly reviewer: ReviewerLog;
  readonly tester: TesterLog;
  readonly human: HumanLog;
  readonly supervisor: SupervisorLog;
  readonly branch: BranchLog;
  readonly build: Working<BuildUnit>;
  readonly test: Working<TestUnit>;
  readonly budget: Budget;
  /** Number of findings and bugs that were made: none may be lost (I5). */
  readonly made: number;
  /** R3 planted: the ordinal of a finding that the reviewer has yet to append; 0 for none. */
  readonly pending: number;
  /** Number of commits on the remote's branch that are not on ours yet. */
  readonly remote: number;
}

/** Further options of a world. */
export interface WorldOptions {
  readonly plant?: WorldPlant | undefined;
  /** Called with each record the first time that it is appended to a log. */
  readonly onRecord?: OnRecord | undefined;
}

export interface OnRecord {
  readonly builder: (record: BuilderRecord) => void;
  readonly planner: (record: PlannerRecord) => void;
  readonly reviewer: (record: ReviewerRecord) => void;
  readonly tester: (record: TesterRecord) => void;
  readonly human: (record: HumanRecord) => void;
  readonly supervisor: (record: SupervisorRecord) => void;
}

/** What all states of one exploration have in common. */
export class World {
  readonly scenario: Scenario;
  readonly policy: Policy;
  readonly plant: WorldPlant | undefined;
  readonly builds = new WorkSpace<BuildUnit>();
  readonly tests = new WorkSpace<TestUnit>();
  readonly start: State;

  constructor(scenario: Scenario, { plant, onRecord }: WorldOptions) {
    this.scenario = scenario;
    this.plant = plant;
    const policy = policyOf(scenario);
    this.policy = policy;
    const builder = (fold: BuilderFold, record: BuilderRecord) => foldBuilder(fold, record, policy);
    const judge = (fold: JudgeFold, record: ReviewerRecord | TesterRecord) =>
      foldJudge(fold, record);
    this.start = {
      builder: new LogSpace(EMPTY_BUILDER, builder, onRecord?.builder).root,
      planner: new LogSpace(EMPTY_PLANNER, foldPlanner, onRecord?.planner).root,
      reviewer: new LogSpace<ReviewerRecord, JudgeFold>(EMPTY_JUDGE, judge, onRecord?.reviewer)
        .root,
      tester: new LogSpace<TesterRecord, JudgeFold>(EMPTY_JUDGE, judge, onRecord?.tester).root,
      human: new LogSpace(EMPTY_HUMAN, foldHuman, onRecord?.human).root,
      supervisor: new LogSpace(EMPTY_SUPERVISOR, foldSupervisor, onRecord?.supervisor).root,
      branch: new LogSpace(branchOf(BASE, BASE, []), extend).root,
      build: this.builds.idle,
      test: this.tests.idle,
      budget: new BudgetSpace().intern(scenario.budgets),
      made: 0,
      pending: 0,
      remote: 0,
    };
  }
}

function extend(branch: Branch, { sha }: Commit): Branch {
  return branchOf(branch.base, sha, [...branch.commits, sha]);
}

function policyOf({
  A,
  R,
  K,
  stuck,
  batch,
  noFix,
  perCommit,
  approval,
  redBase,
}: Scenario): Policy {
  return {
    fixAttemptsMax: A,
    fixRoundsMax: R,
    fixBatchMax: batch,
    buildAttemptsMax: K,
    stuck,
    unitAttemptsMax: 3,
    drainMs: { planner: 1, reviewer: 1, tester: 1 },
    replan: "changed",
    strict: false,
    noFix,
    reviewPerCommit: perCommit,
    planApproval: approval,
    redBase,
  };
}

/** The folded files of a session: the state by which a role that sees everything decides. */
export function sessionState(world: World, state: State): SessionState {
  const { builder, tester } = state;
  return {
    policy: world.policy,
    builder: { ...builder.fold, open: state.build.open },
    planner: state.planner.fold,
    reviewer: state.reviewer.fold,
    tester: { ...tester.fold, openUnit: state.test.open },
    human: state.human.fold,
    supervisor: state.supervisor.fold,
    branch: state.branch.fold,
    hasVerify: hasVerify(world.scenario),
    hasRemote: hasRemote(world.scenario),
  };
}

/** Only if the base may be red: otherwise a look at it would only add a state before all others. */
export function hasVerify({ budgets }: Scenario): boolean {
  return budgets.redBase !== undefined;
}

/** Only if the remote may move: otherwise each look at it would only add a state. */
export function hasRemote({ budgets }: Scenario): boolean {
  return budgets.moves !== undefined;
}
