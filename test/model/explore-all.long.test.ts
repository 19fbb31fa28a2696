import { afterAll, beforeAll, test } from "vitest";
import { ExplorerBundle } from "./explorer-bundle.ts";
import { SCENARIOS, type ScenarioName } from "./scenarios.ts";
import { STATES } from "./state-counts.ts";

/** Every interleaving of the four roles in all small worlds, to the end of each. */

/** The machine may have much else to do; nothing here is about time. */
const PATIENCE_MS = 7_200_000;

let bundle: ExplorerBundle;
let statesTotal = 0;

beforeAll(async () => {
  bundle = await ExplorerBundle.build();
}, PATIENCE_MS);

afterAll(async () => {
  console.log(`${statesTotal} states explored, all there are`);
  await bundle[Symbol.asyncDispose]();
});

const isScenario = (name: string): name is ScenarioName => name in SCENARIOS;

/** The largest first, so that no core is left alone with one at the end. */
const largestFirst = Object.keys(SCENARIOS)
  .filter(isScenario)
  .sort((a, b) => STATES[b] - STATES[a]);

for (const scenario of largestFirst) {
  test.concurrent(
    `nothing is broken in any state of '${scenario}'`,
    { timeout: PATIENCE_MS },
    async ({ expect }) => {
      const { broken, states, endings } = await bundle.explore({ scenario });
      statesTotal += states;
      console.log(`${scenario}: ${states} states, ends ${JSON.stringify(endings)}`);
      expect(broken).toBeUndefined();
      expect(states).toBe(STATES[scenario]);
    },
  );
}
