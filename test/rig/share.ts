import { Random } from "./random.ts";

/*
 * A long suite runs either completely, or as a sample that gets a share of the total time. The sample is drawn
 * by a seed, so that each commit gets another one, and can be repeated:
 *
 *   WISP_TEST_SEED=7 WISP_TEST_SHARE_S=420 npm run test:long
 *
 * Tests that are cut off when the share is used up count as skipped. `vitest.config.ts` derives the variables below
 * from those above, once for all processes of a run.
 */
const { WISP_TEST_SEED = "0", WISP_TEST_BEGAN_MS, WISP_TEST_ENDS_MS } = process.env;

/** The seed of everything random. */
export const SEED = Number(WISP_TEST_SEED);
/** Whether this run is a sample. */
export const IS_SAMPLE = WISP_TEST_ENDS_MS !== undefined;

const beganMs = Number(WISP_TEST_BEGAN_MS);
const endsMs = Number(WISP_TEST_ENDS_MS);

/**
 * Whether a part of the share, by default all of it, is used up: 0.6 means the first six tenths.
 * Always false in a complete run.
 */
export function isUsedUp(part = 1): boolean {
  return IS_SAMPLE && Date.now() >= beganMs + part * (endsMs - beganMs);
}

/**
 * How many of the failpoints tried may not have been reached. Passes that depend on timing do not happen in every run,
 * and a sample may be so small that most of it is such passes.
 */
export function missesMax(tried: number): number {
  return (IS_SAMPLE ? 2 : 0) + tried * 0.2;
}

/**
 * More than how many of the points that were tried have to have killed, where a process that was killed may not get as
 * far again: half of them in a complete run. A sample may be one run, whose first kill keeps it from all other points.
 */
export function killsMin(tried: number): number {
  return IS_SAMPLE ? 0 : tried / 2;
}

/** Shuffles a list in a sample, differently for each name; leaves it as it is in a complete run. */
export function drawn<T>(items: readonly T[], name: string): readonly T[] {
  if (!IS_SAMPLE) return items;
  const random = Random.for(SEED, name);
  return items
    .map((item) => ({ item, rank: random.unit() }))
    .sort((one, other) => one.rank - other.rank)
    .map(({ item }) => item);
}
