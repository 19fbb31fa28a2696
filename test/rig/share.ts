import { Random } from "./random.ts";

/*
 * A long suite is the whole sweep, or a sample that has a share of the time in which everything is tested. The
 * sample is drawn by a seed, so that each commit has another one, and can be drawn again:
 *
 *   WISP_TEST_SEED=7 WISP_TEST_SHARE_S=420 npm run test:long
 *
 * What is cut off when the share is used up is counted as skipped. `vitest.config.ts` makes the variables below
 * of those above, once for all processes of a run.
 */
const { WISP_TEST_SEED = "0", WISP_TEST_BEGAN_MS, WISP_TEST_ENDS_MS } = process.env;

/** What everything is drawn by that is left to chance. */
export const SEED = Number(WISP_TEST_SEED);
/** Whether this run is a sample. */
export const IS_SAMPLE = WISP_TEST_ENDS_MS !== undefined;

const beganMs = Number(WISP_TEST_BEGAN_MS);
const endsMs = Number(WISP_TEST_ENDS_MS);

/**
 * Whether a part of the share, the whole of it by default, is used up: 0.6 stands for the first six tenths.
 * Never so in a whole sweep.
 */
export function isUsedUp(part = 1): boolean {
  return IS_SAMPLE && Date.now() >= beganMs + part * (endsMs - beganMs);
}

/** In a sample a list in an order that is drawn, for each name another one; in a whole sweep as it is. */
export function drawn<T>(items: readonly T[], name: string): readonly T[] {
  if (!IS_SAMPLE) return items;
  const random = Random.for(SEED, name);
  return items
    .map((item) => ({ item, rank: random.unit() }))
    .sort((one, other) => one.rank - other.rank)
    .map(({ item }) => item);
}
