/**
 * The small worlds that are explored completely: what may happen in each, and how often. Names and bounds are those
 * of the reference exploration, a model written before the product, so that the numbers of states can be compared; those of
 * `BEYOND` have no counterpart there.
 */

import type {
  PlanApproval,
  RedBasePolicy,
  StuckStages,
} from "../../src/fs-protocol/home/policy.ts";

/** What the environment may do only a limited number of times. */
export const BUDGETS = [
  /** Kills of a builder or tester, anywhere in a unit. */
  "crash",
  /** Findings and bugs that may turn up, in any review or test. */
  "find",
  "bug",
  /** Reviews that report an earlier finding again, closed or not. */
  "refind",
  /** Tester units that commit tests. */
  "tcommit",
  /** Build turns that do a part of their milestone; that do nothing; that end in a question. */
  "part",
  "nopro",
  "ask",
  /** Build turns whose commits are pushed and then fail verification. */
  "unver",
  /** Hint turns that fail. */
  "nohint",
  /** Fix turns without an acceptable commit; that find nothing to change; that end in a question. */
  "fixfail",
  "nochange",
  "askFix",
  /** Verdicts on a fix that reopen the item; those that find the lines in question unchanged. */
  "reopened",
  "stale",
  /** Drain timeouts, at any moment. */
  "timeout",
  /** Records of a person. */
  "update",
  "resume",
  // A resume that also says to fix the items that were only reported.
  "fixAll",
  "addf",
  "stop",
  "approve",
  "dismiss",
  "dismissBug",
  /** The bug about a red verify, and that about tests of the session's base. */
  "dismissRed",
  "dismissBent",
  "pause",
  /** Edits of TASKS.md: one that adds a milestone, one that replaces the first that is not recorded, one
   * that ticks all its boxes, one that takes all its ticks back. */
  "edit",
  "rework",
  "tick",
  "untick",
  /** Units of planner, reviewer and tester that end in a question, or use up their attempts. */
  "asks",
  "gaveup",
  /** Crash loops of the roles in `failing`; restarts of them by a person. */
  "fail",
  "restart",
  /** Boundaries at which the planner changes milestones that have not begun, without a request. */
  "rethink",
  /** Build turns that also build the next milestone. */
  "multi",
  /** Such turns that tick only the first of the milestones. */
  "ahead",
  /** Build turns that tick everything over a commit that changes no file. */
  "empty",
  /** Commits that a person pushes to the session branch; and those after which verify is red. */
  "foreign",
  "red",
  /** Commits that a person pushes after the end. */
  "late",
  /** Fixes of a red verify that leave it red. */
  "stillRed",
  /** Looks at the base at which verify is red and names no test. */
  "redBase",
  /** Answers that come with commands, to any question. */
  "settings",
  /** Commits after which tests of the base fail, though verify is green; fixes that leave it so. */
  "bent",
  "stillBent",
  /** Commits that somebody pushes to the remote's branch; looks at it that fail; merges with a conflict, or on which
   * verify is red. */
  "moves",
  "refused",
  "conflict",
  "redMerge",
  /** Approvals of the first plan that nobody gave who has seen it. */
  "stray",
] as const;
export type BudgetName = (typeof BUDGETS)[number];

/** An environment that may do it again and again, for ever. */
export const ENDLESS = -1;

/** A milestone in the notation of the reference: its name, whose last digit is its number of tasks. */
export type MilestoneSketch = string;

export interface Scenario {
  readonly budgets: Readonly<Partial<Record<BudgetName, number>>>;
  /** The request's first plan. */
  readonly plan: readonly MilestoneSketch[];
  /** Attempts per finding, fix rounds, and build attempts without progress (the policy's bounds). */
  readonly A: number;
  readonly R: number;
  readonly K: number;
  /** Instead of K: the stages of a milestone without progress. */
  readonly stuck: StuckStages | undefined;
  /** Findings that may share a fix turn. */
  readonly batch: number;
  /** Whether findings and bugs are only reported. */
  readonly noFix: boolean;
  /** How many of wisp's own commits may be reviewed together, or with their milestone; 0: each separately. */
  readonly perCommit: number;
  /** When a person has to approve a plan; undefined: never. They may do so at any time, or never. */
  readonly approval: PlanApproval | undefined;
  /** What a person said in advance of a red base; undefined: only one without test names is a question. */
  readonly redBase: RedBasePolicy | undefined;
  /** An endless environment always does its worst; otherwise it may at any time. */
  readonly always: boolean;
  /** Every role always sees everything, which leaves room to explore other things more deeply. */
  readonly fresh: boolean;
  /** Which roles may fall into a crash loop. */
  readonly failing: readonly ("builder" | "planner" | "reviewer" | "tester")[];
}

const DEFAULTS: Scenario = {
  budgets: {},
  plan: ["a1", "b1"],
  A: 2,
  R: 2,
  K: 2,
  stuck: undefined,
  batch: 1,
  noFix: false,
  perCommit: 0,
  approval: undefined,
  redBase: undefined,
  always: false,
  fresh: false,
  failing: [],
};

type Budgets = Scenario["budgets"];

function scenario(budgets: Budgets, rest: Partial<Omit<Scenario, "budgets">> = {}): Scenario {
  return { ...DEFAULTS, ...rest, budgets };
}

const ONE = { plan: ["a1"] };
const THREE = { plan: ["a1", "b1", "c1"] };
const PRT = ["planner", "reviewer", "tester"] as const;
const WORST = { always: true };
const FRESH = { fresh: true };
const ASK = { approval: {} };
const SKIPS = { stuck: { skip: 1, pause: 2 } };
const HINTS = { ...ONE, stuck: { hint: 1, pause: 3 } };

/** The scenarios of the reference, in its order. */
const REFERENCE = {
  plain: scenario({ crash: 2, part: 1 }, { plan: ["a2", "b1"] }),
  review: scenario({ crash: 1, find: 2, reopened: 1, fixfail: 1, timeout: 1 }),
  bugs: scenario({ crash: 1, bug: 1, find: 1, tcommit: 1, reopened: 1, timeout: 1 }),
  tests: scenario({ crash: 1, find: 2, tcommit: 2, timeout: 1, reopened: 1 }, ONE),
  crashes: scenario({ crash: 3, bug: 1, tcommit: 1, part: 1 }, { plan: ["a2"] }),
  late1: scenario({ find: 1, timeout: 1 }, ONE),
  late: scenario({ find: 1, bug: 1, timeout: 3 }, THREE),
  update: scenario({ crash: 1, update: 1, timeout: 1, part: 1 }, { plan: ["a1", "b2"] }),
  update2: scenario({ update: 2 }),
  reopen: scenario({ update: 1 }, ONE),
  updateFind: scenario({ update: 1, find: 1, timeout: 1 }),
  stuck: scenario({ crash: 1, nopro: 2, timeout: 1, resume: 1 }),
  stuckUpdate: scenario({ nopro: 2, update: 1, resume: 1, timeout: 1 }),
  updateTests: scenario({ update: 1, tcommit: 1, bug: 1, crash: 1 }, ONE),
  human: scenario({ addf: 1, find: 1, timeout: 1, crash: 1 }),
  resumeFix: scenario({ find: 1, reopened: ENDLESS, fixfail: 1, resume: 1, crash: 1 }, ONE),
  ask: scenario({ ask: 1, update: 1, crash: 1, timeout: 1 }),
  gaveup: scenario({ gaveup: 2, resume: 1, find: 1, timeout: 1 }, ONE),
  gaveupBug: scenario({ gaveup: 2, bug: 1, tcommit: 1, resume: 1, crash: 1 }, ONE),
  gaveupPlan: scenario({ gaveup: 1, update: 1, resume: 1 }, ONE),
  gaveupPlan2: scenario({ gaveup: 2, addf: 1, resume: 1 }, ONE),
  asks: scenario({ asks: 2, find: 1, timeout: 1, crash: 1 }, ONE),
  asksFail: scenario({ asks: 1, fail: 1, restart: 1 }, { ...ONE, failing: PRT }),
  failed: scenario(
    { fail: 1, restart: 1, resume: 1, find: 1, crash: 1, tcommit: 1 },
    { ...ONE, failing: PRT },
  ),
  failed2: scenario(
    { fail: 2, restart: 1, resume: 1, timeout: 1 },
    { failing: ["reviewer", "tester"] },
  ),
  failedFresh: scenario(
    { fail: 2, restart: 2, resume: 1, find: 1, tcommit: 1, crash: 1 },
    { ...ONE, ...FRESH, failing: ["builder", ...PRT] },
  ),
  stop: scenario({ stop: 2, approve: 1, update: 1, crash: 1 }, ONE),
  stopFresh: scenario(
    { stop: 1, approve: 1, dismiss: 1, find: 1, update: 1, crash: 1 },
    { ...ONE, ...FRESH },
  ),
  dismiss: scenario({ dismiss: 1, find: 1, reopened: 1, approve: 1, timeout: 1 }, ONE),
  unverified: scenario(
    { unver: 2, part: 1, crash: 1, timeout: 1, nopro: 1, resume: 1 },
    { plan: ["a2", "b1"] },
  ),
  nochange: scenario(
    { find: 1, bug: 1, nochange: 2, reopened: 1, tcommit: 1, timeout: 1, crash: 1 },
    ONE,
  ),
  order: scenario({ find: 1, timeout: 3 }, { ...THREE, ...FRESH }),
  // The environment never stops: each of these ends only because of the rules.
  goalposts: scenario(
    { find: ENDLESS, reopened: ENDLESS },
    { ...ONE, ...WORST, ...FRESH, R: 1, A: 2 },
  ),
  endlessTests: scenario({ find: ENDLESS, tcommit: ENDLESS }, { ...ONE, ...WORST, R: 1, A: 1 }),
  retest: scenario({ tcommit: ENDLESS, crash: 1 }, { ...ONE, ...WORST }),
  endlessBugs: scenario({ bug: ENDLESS, tcommit: ENDLESS }, { ...ONE, R: 2, A: 1 }),
  allEndless: scenario(
    { find: ENDLESS, bug: ENDLESS, tcommit: ENDLESS, reopened: ENDLESS },
    { ...ONE, ...WORST, ...FRESH, R: 1, A: 1 },
  ),
} as const;

export type ReferenceName = keyof typeof REFERENCE;

/** Behaviour of the shipped code that the reference does not have. */
const BEYOND = {
  pause: scenario({ pause: 1, find: 1, timeout: 1, crash: 1 }, ONE),
  askFix: scenario({ askFix: 1, find: 1, bug: 1, resume: 1, timeout: 1, crash: 1 }, ONE),
  rethink: scenario({ rethink: 1, find: 1, reopened: ENDLESS, timeout: 1 }),
  foreign: scenario({ foreign: 2, find: 1, tcommit: 1, timeout: 1 }, ONE),
  red: scenario({ red: 1, find: 1, stillRed: 1, tcommit: 1, timeout: 1, crash: 1 }, ONE),
  redTwice: scenario({ red: 2, nochange: 1, fixfail: 1, resume: 1 }, ONE),
  redDismissed: scenario({ red: 1, dismissRed: 1, tcommit: 1, stillRed: 1, crash: 1 }, ONE),
  endlessRed: scenario({ red: 2, stillRed: ENDLESS }, { ...ONE, ...WORST, R: 1, A: 1 }),
  redBase: scenario({ redBase: 2, stop: 1, crash: 1 }, ONE),
  redBasePlan: scenario({ redBase: 2, gaveup: 1, resume: 1 }, ONE),
  redBaseEdit: scenario({ redBase: 2, edit: 1, crash: 1 }, ONE),
  redBaseNamed: scenario({ redBase: 2, stop: 1, crash: 1 }, { ...ONE, redBase: {} }),
  redBaseKnown: scenario({ redBase: 2, edit: 1 }, { ...ONE, redBase: { known: ["old"] } }),
  redBaseSettings: scenario(
    { redBase: 2, settings: 1, ask: 1 },
    { ...ONE, ...FRESH, redBase: { known: ["old"] } },
  ),
  bent: scenario({ bent: 1, stillBent: 1, tcommit: 1, nochange: 1, crash: 1 }, ONE),
  bentTwice: scenario({ bent: 2, find: 1, fixfail: 1, resume: 1 }, ONE),
  bentDismissed: scenario({ bent: 2, dismissBent: 1, nochange: 1, crash: 1 }, ONE),
  bentRed: scenario({ bent: 1, red: 1, nochange: 1, stillRed: 1 }, ONE),
  endlessBent: scenario({ bent: 2, stillBent: ENDLESS }, { ...ONE, ...WORST, R: 1, A: 1 }),
  foreignLate: scenario({ late: 2, nopro: 2, resume: 1, find: 1 }, ONE),
  foreignLateCover: scenario({ late: 2, update: 1, tcommit: 1 }, { ...ONE, perCommit: 2 }),
  foreignHalt: scenario({ foreign: 1, nopro: 2, update: 1, resume: 1 }, ONE),
  endlessIdle: scenario({ nopro: ENDLESS, part: 1, resume: 1 }, { plan: ["a2"] }),
  refind: scenario({ refind: 2, find: 1, reopened: 1, resume: 1, timeout: 1 }, ONE),
  edit: scenario({ edit: 2, crash: 1 }, ONE),
  editUpdate: scenario({ edit: 1, update: 1 }, ONE),
  editFix: scenario({ edit: 1, find: 1, fixfail: 1, crash: 1 }, ONE),
  editStuck: scenario({ edit: 1, nopro: 2, gaveup: 1 }, ONE),
  editStop: scenario({ edit: 1, stop: 1, ask: 1 }, ONE),
  rework: scenario({ rework: 1, crash: 1, part: 1 }, { plan: ["a2", "b1"] }),
  editTicks: scenario({ tick: 1, untick: 1, part: 1, crash: 1 }, { plan: ["a2"] }),
  multi: scenario({ multi: 1, part: 1, unver: 1, find: 1, timeout: 1 }, THREE),
  empty: scenario({ empty: 3, crash: 1, resume: 1 }),
  ahead: scenario({ multi: 1, ahead: 1, empty: 1, unver: 1, crash: 1 }),
  batch: scenario({ find: 2, reopened: 1, fixfail: 1, timeout: 1, crash: 1 }, { ...ONE, batch: 2 }),
  batchAsk: scenario({ find: 2, askFix: 1, nochange: 1, dismiss: 1 }, { ...ONE, batch: 2 }),
  stalemate: scenario(
    { find: 1, stale: 3, reopened: 1, resume: 1, timeout: 1 },
    { ...ONE, A: 3, R: 3 },
  ),
  skip: scenario({ nopro: 2, unver: 1, crash: 1 }, SKIPS),
  skipPause: scenario({ nopro: ENDLESS, resume: 1, crash: 1 }, SKIPS),
  skipUpdate: scenario({ unver: 1, update: 1 }, SKIPS),
  skipRethink: scenario({ nopro: 1, unver: 1, rethink: 1, timeout: 1 }, SKIPS),
  skipEdit: scenario({ nopro: 1, edit: 1 }, SKIPS),
  skipTick: scenario({ unver: 1, tick: 1, crash: 1 }, SKIPS),
  skipMulti: scenario({ multi: 1, part: 1, nopro: 1, unver: 1 }, { ...SKIPS, ...THREE }),
  skipFind: scenario({ unver: 1, find: 1, timeout: 1 }, SKIPS),
  hint: scenario({ nopro: 3, nohint: 1, crash: 2, resume: 1 }, HINTS),
  hintStop: scenario({ nopro: 2, stop: 1, crash: 1 }, HINTS),
  hintEdit: scenario({ nopro: 2, edit: 1, crash: 1 }, HINTS),
  hintSkip: scenario(
    { nopro: ENDLESS, nohint: 1, resume: 1 },
    { stuck: { hint: 1, skip: 2, pause: 3 } },
  ),
  dismissBug: scenario({ dismissBug: 1, bug: 1, reopened: 1, timeout: 1, crash: 1 }, ONE),
  dismissBoth: scenario({ dismissBug: 1, dismiss: 1, bug: 1, find: 1 }, ONE),
  dismissTests: scenario({ dismissBug: 1, bug: 1, tcommit: 1, asks: 1 }, ONE),
  dismissFailed: scenario(
    { dismissBug: 1, bug: 1, fail: 1, restart: 1, resume: 1 },
    { ...ONE, failing: ["reviewer", "tester"] },
  ),
  // Milestones are reviewed together with their commits.
  cover: scenario({ find: 1, reopened: 1, tcommit: 1, timeout: 1 }, { ...ONE, perCommit: 5 }),
  coverParts: scenario({ part: 2, find: 1, crash: 1, timeout: 1 }, { plan: ["a3"], perCommit: 1 }),
  coverForeign: scenario(
    { foreign: 2, find: 1, tcommit: 1, part: 1 },
    { plan: ["a2"], perCommit: 2 },
  ),
  coverOrder: scenario({ find: 1, timeout: 3 }, { ...THREE, ...FRESH, perCommit: 5 }),
  coverGaveup: scenario({ gaveup: 2, resume: 1, find: 1, tcommit: 1 }, { ...ONE, perCommit: 5 }),
  coverAsks: scenario({ asks: 2, tcommit: 1, foreign: 1, part: 1 }, { plan: ["a2"], perCommit: 2 }),
  coverStuck: scenario({ nopro: 2, part: 1, resume: 1, update: 1 }, { plan: ["a2"], perCommit: 5 }),
  coverMulti: scenario({ multi: 1, part: 1, find: 1, timeout: 1 }, { ...THREE, perCommit: 1 }),
  coverFailed: scenario(
    { fail: 2, restart: 1, resume: 1, tcommit: 1 },
    { ...ONE, perCommit: 5, failing: ["reviewer", "tester"] },
  ),
  coverTests: scenario({ tcommit: 2, part: 1, bug: 1 }, { plan: ["a2"], perCommit: 1 }),
  remote: scenario({ moves: 2, tcommit: 1, crash: 1 }, ONE),
  remoteTwo: scenario({ moves: 1, find: 1, refused: 1, timeout: 1 }),
  remoteAsk: scenario({ moves: 1, conflict: 1, crash: 1, stop: 1 }),
  remoteRed: scenario({ moves: 1, redMerge: 1, tcommit: 1, refused: 1 }, ONE),
  remoteCover: scenario({ moves: 2, tcommit: 1, foreign: 1 }, { ...ONE, perCommit: 2 }),
  // Plans come into force only if a person approves them.
  approve: scenario({ stray: 1, update: 1, crash: 1 }, { ...ONE, ...ASK }),
  approveEdit: scenario({ edit: 1, update: 1 }, { ...ONE, ...ASK }),
  approveRethink: scenario({ rethink: 1, find: 1, reopened: ENDLESS, timeout: 1 }, ASK),
  approveStuck: scenario({ nopro: 2, update: 1, resume: 1, timeout: 1 }, { ...ONE, ...ASK }),
  approveStop: scenario({ stop: 1, update: 1 }, { ...ONE, ...ASK }),
  approveGaveup: scenario({ gaveup: 1, update: 1, resume: 1 }, { ...ONE, ...ASK }),
  approvePause: scenario({ pause: 1, asks: 1 }, { ...ONE, ...ASK }),
  approveFailed: scenario({ fail: 1, restart: 1 }, { ...ONE, ...ASK, failing: PRT }),
  approveTwice: scenario({ update: 2 }, { ...ONE, approval: { tasks: 1 } }),
  approveMany: scenario({ update: 1, timeout: 1 }, { ...ONE, approval: { tasks: 1 } }),
  noFix: scenario({ find: 1, addf: 1, bug: 1, timeout: 1, resume: 1 }, { ...ONE, noFix: true }),
  fixAll: scenario({ find: 1, bug: 1, timeout: 1, resume: 1, fixAll: 1 }, { ...ONE, noFix: true }),
} as const;

export type ScenarioName = ReferenceName | keyof typeof BEYOND;

export const SCENARIOS: Readonly<Record<ScenarioName, Scenario>> = { ...REFERENCE, ...BEYOND };
