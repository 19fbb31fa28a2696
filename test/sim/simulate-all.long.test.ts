import { expect, test } from "vitest";
import { campaign, lateSeeds, tallyOf, unsafeSeeds } from "./campaign.ts";
import { Random } from "../rig/random.ts";
import { IS_SAMPLE, SEED } from "../rig/share.ts";
import { SimBundle } from "./sim-bundle.ts";

/** As many seeds as `WISP_SIM_SEEDS` says, 2,000 if it says nothing. */
const ALL = Number(process.env["WISP_SIM_SEEDS"] ?? 2_000);
/** In a sample so many of them, in a row. */
const COUNT = IS_SAMPLE ? Math.min(ALL, 300) : ALL;
const FROM = 1 + Random.for(SEED, "simulate").below(ALL - COUNT + 1);

test(`in ${COUNT} of ${ALL} simulated sessions, from seed ${FROM} on, nothing is lost or done twice, and every session ends`, async () => {
  await using bundle = await SimBundle.build();
  const simulated = await campaign(bundle, FROM, COUNT);
  console.log(tallyOf(simulated));
  expect(unsafeSeeds(simulated)).toEqual([]);
  expect(lateSeeds(simulated)).toEqual([]);
  expect(simulated).toHaveLength(COUNT);
  const edits = simulated.reduce((sum, session) => sum + session.edits, 0);
  expect(edits).toBeGreaterThanOrEqual(Math.floor(COUNT / 50));
});
