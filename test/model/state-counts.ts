import type { ReferenceName, ScenarioName } from "./scenarios.ts";

/**
 * How many states each scenario has, here and in the reference exploration (scenarios.ts). The number
 * is part of the claim: a world that has shrunk proves less. Where ours differs, by what was tried:
 *
 * | scenario | why |
 * | --- | --- |
 * | ask | The shipped builder acts only on a view of human.log that holds the answer to its question; the reference forgets the answer again, and acts on older views. |
 * | asks, asksFail | An `end` with a question names its unit; the reference's only says that somebody asked. |
 * | gaveupPlan, gaveupPlan2 | A `plan.end` names its unit, which tells an answer that is asked again (`:re1`) from one that is not. |
 * | gaveupPlan2 | The reference's reviewer adopts what a person adds at once, in every view; ours may look at other things before it has seen it. |
 * | asksFail, failed, failed2, failedFresh | An open test remembers how many reopens were in view when it began. |
 * | stop | A killed role does not recover its unit while a stop is in force: it exits. (stopFresh has as many states, but more of its ends are a stop.) |
 *
 * `foreign` has grown since the reviewer sees which commits are the tester's: behind one of these it knows a person's.
 * It has grown again, with `red`, `bent` and their like, since commits of the builder are known by their intents: behind
 * these, too, it knows a person's. Worlds with a remote have shrunk by that: the commits of one merge are published at
 * once, and are no longer reviewed one by one.
 *
 * Without these differences (each taken away for a trial) the numbers were equal.
 */
const REFERENCE_STATES: Readonly<Record<ReferenceName, number>> = {
  plain: 532,
  review: 485_671,
  bugs: 947_211,
  tests: 474_380,
  crashes: 2_292,
  late1: 652,
  late: 3_751_155,
  update: 185_134,
  update2: 318_182,
  reopen: 785,
  updateFind: 443_789,
  stuck: 6_269,
  stuckUpdate: 424_597,
  updateTests: 51_777,
  human: 236_421,
  resumeFix: 5_088,
  ask: 579_657,
  gaveup: 27_709,
  gaveupBug: 33_466,
  gaveupPlan: 18_455,
  gaveupPlan2: 35_026,
  asks: 155_777,
  asksFail: 6_758,
  failed: 116_620,
  failed2: 43_285,
  failedFresh: 942_087,
  stop: 396_951,
  stopFresh: 2_124_006,
  dismiss: 39_372,
  unverified: 163_577,
  nochange: 393_101,
  order: 78_847,
  goalposts: 3_292,
  endlessTests: 59_243,
  retest: 152,
  endlessBugs: 1_034,
  allEndless: 292_127,
};

/** Numbers that differ from the reference, or have no reference. */
const OTHER_STATES = {
  ask: 324_438,
  gaveupPlan: 20_102,
  gaveupPlan2: 40_318,
  asks: 209_343,
  asksFail: 6_798,
  failed: 116_918,
  failed2: 44_934,
  failedFresh: 952_720,
  stop: 377_219,
  pause: 4_664,
  askFix: 16_747,
  rethink: 23_300,
  foreign: 162_456,
  red: 255_654,
  redTwice: 5_882,
  redDismissed: 14_341,
  endlessRed: 1_254,
  redBase: 2_534,
  redBasePlan: 988,
  redBaseEdit: 12_979,
  redBaseNamed: 7_616,
  redBaseKnown: 10_858,
  redBaseSettings: 1_928,
  bent: 4_849,
  bentTwice: 40_806,
  bentDismissed: 19_054,
  bentRed: 8_008,
  endlessBent: 1_254,
  foreignLate: 1_265,
  foreignLateCover: 8_006,
  foreignHalt: 60_755,
  endlessIdle: 716,
  refind: 16_658,
  edit: 33_222,
  editUpdate: 48_040,
  editFix: 13_969,
  editStuck: 13_830,
  editStop: 11_798,
  rework: 2_634,
  editTicks: 5_288,
  multi: 318_674,
  empty: 784,
  ahead: 4_765,
  batch: 54_155,
  batchAsk: 6_891,
  stalemate: 72_960,
  skip: 1_522,
  skipPause: 1_565,
  skipUpdate: 14_468,
  skipRethink: 11_185,
  skipEdit: 3_235,
  skipTick: 3_823,
  skipMulti: 5_436,
  skipFind: 17_592,
  hint: 1_167,
  hintStop: 786,
  hintEdit: 8_100,
  hintSkip: 6_859,
  dismissBug: 5_655,
  dismissBoth: 32_182,
  dismissTests: 30_915,
  dismissFailed: 100_269,
  cover: 1_606,
  coverParts: 6_011,
  coverForeign: 19_825,
  coverOrder: 18_545,
  coverGaveup: 7_278,
  coverAsks: 94_254,
  coverStuck: 15_724,
  coverMulti: 5_127,
  coverFailed: 11_645,
  coverTests: 445,
  remote: 1_101,
  remoteTwo: 37_343,
  remoteAsk: 2_827,
  remoteRed: 599,
  remoteCover: 3_221,
  approve: 59_546,
  approveEdit: 237_641,
  approveRethink: 26_510,
  approveStuck: 415_722,
  approveStop: 97_834,
  approveGaveup: 106_110,
  approvePause: 3_675,
  approveFailed: 501,
  approveTwice: 3_256_732,
  approveMany: 33_315,
  noFix: 6_598,
  fixAll: 42_024,
} as const;

/** How many states each scenario has. */
export const STATES: Readonly<Record<ScenarioName, number>> = {
  ...REFERENCE_STATES,
  ...OTHER_STATES,
};
