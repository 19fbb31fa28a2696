import { afterAll, beforeAll, expect, test } from "vitest";
import { noisyCampaign } from "./campaign.ts";
import { Random } from "../rig/random.ts";
import { IS_SAMPLE, SEED } from "../rig/share.ts";
import { NOISE_RATES, noisyTallyOf, noisyWrongs } from "./noisy-tally.ts";
import { SimBundle } from "./sim-bundle.ts";
import type { NoisySession } from "./simulate-noisy.ts";

/** The number of seeds for each rate: `WISP_SIM_SEEDS`, or 300. */
const ALL = Number(process.env["WISP_SIM_SEEDS"] ?? 300);
/** A sample has this many consecutive ones. */
const COUNT = IS_SAMPLE ? Math.min(ALL, 60) : ALL;
const FROM = 1 + Random.for(SEED, "noisy").below(ALL - COUNT + 1);

/** The least share of sessions that end complete, by how what failed can be repeated. */
const COMPLETE_MIN = { 0.01: 0.93, 0.05: 0.9, 0.2: 0.75 } as const;
/**
 * The largest share of sessions in which something right is blamed. A test that is red in one look of five is red in one
 * look and both of its repeats once in 125 times.
 */
const BLAMED_MAX = { 0.01: 0, 0.05: 0, 0.2: 0.08 } as const;

/** How many sessions may be complete with a break: at 20 %, one seed in 300 is known to be (236). */
const LICENSED_MAX = { 0.01: 0, 0.05: 0, 0.2: 1 } as const;

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
    // A question says why it is asked, and nothing goes on for ever or is written twice.
    expect(noisyWrongs(sessions).filter((line) => !/: (?:blame|licence): /.test(line))).toEqual([]);
    const licences = noisyWrongs(sessions, "licence");
    expect(licences.length).toBeLessThanOrEqual(LICENSED_MAX[rate]);
    expect(sessions.map(({ ending }) => ending)).not.toContain(undefined);
    const blamed = sessions.filter(({ wrongs }) =>
      wrongs.some(({ invariant }) => invariant === "blame"),
    );
    expect(blamed.length).toBeLessThanOrEqual(BLAMED_MAX[rate] * COUNT);
    const narrowable = sessions.filter(({ runner }) => runner === "narrowable");
    expect(shareOf(narrowable, "complete")).toBeGreaterThanOrEqual(COMPLETE_MIN[rate]);
  },
);

function shareOf(sessions: readonly NoisySession[], end: NoisySession["ending"]): number {
  return sessions.filter(({ ending }) => ending === end).length / sessions.length;
}
