import { expect, test } from "vitest";
import { campaign, lateSeeds, tallyOf, unsafeSeeds } from "./campaign.ts";
import { SimBundle } from "./sim-bundle.ts";

/** As many seeds as `WISP_SIM_SEEDS` says, 2,000 if it says nothing. */
const COUNT = Number(process.env["WISP_SIM_SEEDS"] ?? 2_000);

test(
  `in ${COUNT} simulated sessions nothing is lost or done twice, and every session ends`,
  { timeout: 7_200_000 },
  async () => {
    await using bundle = await SimBundle.build();
    const simulated = await campaign(bundle, 1, COUNT);
    console.log(tallyOf(simulated));
    expect(unsafeSeeds(simulated)).toEqual([]);
    expect(lateSeeds(simulated)).toEqual([]);
    expect(simulated).toHaveLength(COUNT);
    const edits = simulated.reduce((sum, session) => sum + session.edits, 0);
    expect(edits).toBeGreaterThanOrEqual(Math.floor(COUNT / 50));
  },
);
