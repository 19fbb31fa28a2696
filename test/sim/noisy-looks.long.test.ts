import { afterAll, beforeAll, expect, test } from "vitest";
import { noisyCampaign } from "./campaign.ts";
import { Random } from "../rig/random.ts";
import { IS_SAMPLE, SEED } from "../rig/share.ts";
import { NOISE_RATES, noisyTallyOf, noisyWrongs } from "./noisy-tally.ts";
import { SimBundle } from "./sim-bundle.ts";

/** The number of seeds for each rate: `WISP_SIM_SEEDS`, or 300. */
const ALL = Number(process.env["WISP_SIM_SEEDS"] ?? 300);
/** A sample has this many consecutive ones. */
const COUNT = IS_SAMPLE ? Math.min(ALL, 60) : ALL;
const FROM = 1 + Random.for(SEED, "noisy").below(ALL - COUNT + 1);

/*
 * Bounds for the whole campaign, as numbers of sessions: what holds for all of them holds for a sample.
 */

/** The largest number of sessions that end otherwise than complete though what failed can be repeated alone. */
const INCOMPLETE_MAX = { 0.01: 10, 0.05: 14, 0.2: 36 } as const;
/**
 * The largest number of sessions in which something right is blamed. A test that is red in one look of five is red in one
 * look and both of its repeats once in 125 times; one that is red in one of twenty, once in 8,000 times.
 */
const BLAMED_MAX = { 0.01: 0, 0.05: 3, 0.2: 24 } as const;

let bundle: SimBundle;

beforeAll(async () => {
  bundle = await SimBundle.build();
});

afterAll(async () => {
  await bundle[Symbol.asyncDispose]();
});

test.each(NOISE_RATES)(
  `${COUNT} of ${ALL} sessions, from seed ${FROM} on, whose looks are red by chance at the rate %d`,
  async (rate) => {
    const sessions = await noisyCampaign(bundle, rate, { from: FROM, count: COUNT });
    console.log([noisyTallyOf(rate, sessions), ...noisyWrongs(sessions)].join("\n"));
    // No break is complete, a question says why it is asked, and nothing goes on for ever or is written twice.
    expect(noisyWrongs(sessions).filter((line) => !/: blame: /.test(line))).toEqual([]);
    expect(sessions.map(({ ending }) => ending)).not.toContain(undefined);
    const blamed = sessions.filter(({ wrongs }) =>
      wrongs.some(({ invariant }) => invariant === "blame"),
    );
    expect(blamed.length).toBeLessThanOrEqual(BLAMED_MAX[rate]);
    const narrowable = sessions.filter(({ runner }) => runner === "narrowable");
    const incomplete = narrowable.filter(({ ending }) => ending !== "complete");
    expect(incomplete.length).toBeLessThanOrEqual(INCOMPLETE_MAX[rate]);
  },
);
