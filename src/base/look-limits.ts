// Limits of looks: how often the suite is run at one tree before that decides something.

/** How often a look that says nothing about the commit is taken again. */
export const UNKNOWN_REPEATS_MAX = 2;
/** How often the whole suite is run again to confirm that it is red. */
export const SUITE_REPEATS_MAX = 2;
/** How often tests that failed are run again alone, until each has passed once. */
export const NARROWED_REPEATS_MAX = 5;
/** At most this many tests are run alone; if more failed, the whole suite is run again. */
export const NARROWED_TESTS_MAX = 20;
/** How often a test that was red and green at the end of a range is looked at there. */
export const SPLIT_END_LOOKS = 10;
/** How often it is looked at, at most, at the start of the range, until it is red there. */
export const SPLIT_START_LOOKS_MAX = 20;
/** Of more split tests in one range, only the first are looked at; the others are named. */
export const SPLIT_TESTS_MAX = 5;
/**
 * How long looks that decide together wait, in all, for turns of engines in their repository, where no sandbox confines what
 * they run: five minutes.
 */
export const TURNS_WAIT_MS_MAX = 5 * 60_000;
/** A suite that took less than this part of the time limit before, and now reaches the limit, is red. */
export const SUITE_TIME_SHARE_MAX = 1 / 3;
/** With less space left for a tree, its disk counts as full. */
export const TREE_FREE_BYTES_MIN = 4 * 1024 * 1024;

/** Modules of the product that are overwritten, one after the other, until verify notices one. */
export const SOURCE_MODULES_MAX = 3;

/** Looks at a neutral place, where what differs has to differ again before it is named. */
export const NEUTRAL_LOOKS_MAX = 2;
/** Tests that the settings may name as known to be red, and that are remembered of a repository. */
export const KNOWN_RED_MAX = 5_000;
