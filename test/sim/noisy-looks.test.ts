import { afterAll, beforeAll, expect, test } from "vitest";
import { noisyCampaign } from "./campaign.ts";
import { Random } from "../rig/random.ts";
import { SEED } from "../rig/share.ts";
import { NOISE_RATES, noisyTallyOf, noisyWrongs } from "./noisy-tally.ts";
import { SimBundle } from "./sim-bundle.ts";

/**
 * Sessions whose looks are red by chance, with a project of which it is known what is right. The long test simulates
 * hundreds; `WISP_SIM_SEED=7 WISP_SIM_RATE=0.05` simulates that one and prints its records.
 */

const { WISP_SIM_SEED: CHOSEN, WISP_SIM_RATE = "0.05" } = process.env;
const COUNT = CHOSEN === undefined ? 12 : 1;
const FROM = CHOSEN === undefined ? 1 + Random.for(SEED, "noisy").below(289) : Number(CHOSEN);
const RATES = CHOSEN === undefined ? NOISE_RATES : [Number(WISP_SIM_RATE)];

let bundle: SimBundle;

beforeAll(async () => {
  bundle = await SimBundle.build();
});

afterAll(async () => {
  await bundle[Symbol.asyncDispose]();
});

test.each(RATES)(
  `looks that are red by chance at the rate %d license no break, and the session ends (from seed ${FROM} on)`,
  async (rate) => {
    const sessions = await noisyCampaign(bundle, rate, { from: FROM, count: COUNT });
    console.log(noisyTallyOf(rate, sessions));
    // The long test bounds how often a look is red by chance each time that it is repeated.
    const kinds =
      rate > 0.01 && CHOSEN === undefined ? ["licence", "words", "L1", "L3", "crash"] : [];
    expect(noisyWrongs(sessions, ...kinds)).toEqual([]);
    expect(sessions.map(({ ending }) => ending)).not.toContain(undefined);
  },
);

test("a noisy session is the same each time", async () => {
  const task = { from: FROM, count: 1, rate: RATES.at(-1) ?? 0 };
  const [first, again] = await Promise.all([
    bundle.simulateNoisily({ ...task, isTraced: CHOSEN !== undefined }),
    bundle.simulateNoisily(task),
  ]);
  const records = first[0]?.trace?.filter((line) => /^ {4}\d{4}-/.test(line));
  if (records !== undefined) console.log(records.join("\n"));
  expect(again[0]?.digest).toBe(first[0]?.digest);
});
