import { expect, test } from "vitest";
import { campaign, lateSeeds, tallyOf, unsafeSeeds } from "./campaign.ts";
import { Random } from "../rig/random.ts";
import { IS_SAMPLE, SEED } from "../rig/share.ts";
import { SimBundle } from "./sim-bundle.ts";

/** The number of seeds: `WISP_SIM_SEEDS`, or 2,000. */
const ALL = Number(process.env["WISP_SIM_SEEDS"] ?? 2_000);
/** A sample has this many consecutive ones. */
const COUNT = IS_SAMPLE ? Math.min(ALL, 300) : ALL;
const FROM = 1 + Random.for(SEED, "simulate").below(ALL - COUNT + 1);

test(`${COUNT} of ${ALL} simulated sessions, from seed ${FROM} on, lose nothing, do nothing twice, and end`, async () => {
  await using bundle = await SimBundle.build();
  const simulated = await campaign(bundle, FROM, COUNT);
  console.log(tallyOf(simulated));
  expect(unsafeSeeds(simulated)).toEqual([]);
  expect(lateSeeds(simulated)).toEqual([]);
  expect(simulated).toHaveLength(COUNT);
  const edits = simulated.reduce((sum, session) => sum + session.edits, 0);
  expect(edits).toBeGreaterThanOrEqual(Math.floor(COUNT / 50));
});
