import { expect, test } from "vitest";
import { noisyCampaign } from "./campaign.ts";
import { PLANTED_NOISE } from "./planted-noise.ts";
import { SimBundle } from "./sim-bundle.ts";

/** Mistakes planted into the shipped source, one at a time: noisy sessions must show each. */

/** A mistake must show within this many seeds. */
const SEEDS_MAX = 600;
const STEP = 40;

for (const { name, edits, breaks, rate } of PLANTED_NOISE) {
  test(`noisy sessions show that ${name}`, async () => {
    await using bundle = await SimBundle.build(edits);
    let shown: number | undefined;
    for (let from = 1; from <= SEEDS_MAX && shown === undefined; from += STEP) {
      const sessions = await noisyCampaign(bundle, rate, { from, count: STEP });
      const wrong = sessions.find(({ wrongs }) =>
        wrongs.some(({ invariant }) => invariant === breaks),
      );
      shown = wrong?.seed;
    }
    console.log(`shown by seed ${String(shown)}`);
    expect(shown).toBeDefined();
  });
}
