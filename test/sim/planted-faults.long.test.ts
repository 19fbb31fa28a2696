import { expect, test } from "vitest";
import { PLANTED_FAULTS } from "./planted-faults.ts";
import { SimBundle } from "./sim-bundle.ts";

/** Faults planted into the shipped source, one at a time: the simulation must detect each. */

/** A fault must break an invariant within this many seeds; most do within the first few. */
const SEEDS_MAX = 500;

for (const { name, edits, breaks } of PLANTED_FAULTS) {
  test(`the simulation detects that ${name}`, async () => {
    await using bundle = await SimBundle.build(edits);
    const simulated = await bundle.simulate({ from: 1, count: SEEDS_MAX, isUntilBroken: true });
    const last = simulated.at(-1);
    const wrong = last?.unsafe ?? last?.late;
    console.log(`found by seed ${String(last?.seed)}: ${String(wrong?.invariant)}`);
    expect(breaks).toContain(wrong?.invariant);
  });
}
