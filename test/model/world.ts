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

/** Naive rules that lie outside the shipped decisions and folds: planted into the world itself. */
export const WORLD_PLANTS = [
  /** R1: the planner replaces the plan in force itself. */
  "planDirect",
  /** R2: an interrupted unit is simply run again, without a look at the branch. */
  "redo",
  /** R3: the reviewer appends its checkpoint, then its findings. */
  "twoAppends",
  /** R8: the final pass counts for the commit that it started from. */
  "atStart",
  /** R13: a done record counts all of human.log as read. */
  "noCursor",
  /** R24: a tick needs a commit in the same turn. */
  "thisTurn",
  /** R24: recovery takes any commit for the task as the open unit's. */
  "anyPush",
  /** R27: a final pass does not look whether verify is red. */
  "noVerify",
  /** R28: it looks before its own commits alone, and publishes tests that are red. */
  "verifyBefore",
  /** R29: tests that are red are published. */
  "redTests",
  /** R34: a final pass does not run the tests of the session's base, or only the first one does. */
  "noBaseTests",
  "baseTestsOnce",
  /** R40: what joins a remote's branch with ours rewrites ours, or theirs, or is not verified. */
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

/** One state of the explored world: a `History`, what is under way, and what may still happen. */
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
  /** Findings and bugs that were made: none may get lost (I5). */
  readonly made: number;
  /** R3 planted: a finding that the reviewer has yet to append, by its ordinal; 0 is none. */
  readonly pending: number;
  /** Commits of the remote's branch that were not taken over yet. */
  readonly remote: number;
}

/** What else is given about the world. */
export interface WorldOptions {
  readonly plant?: WorldPlant | undefined;
  /** Called with each record when a log is first grown by it. */
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

/** What all states of one exploration share. */
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

function policyOf({ A, R, K, stuck, batch, noFix, perCommit }: Scenario): Policy {
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
  };
}

/** The files of a session as they stand, folded: what a role that sees everything decides by. */
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

/** Only where the base may be red: elsewhere a look at it would be one more state before all others. */
export function hasVerify({ budgets }: Scenario): boolean {
  return budgets.redBase !== undefined;
}

/** Only where it may move: elsewhere each look at it would be a state more. */
export function hasRemote({ budgets }: Scenario): boolean {
  return budgets.moves !== undefined;
}
