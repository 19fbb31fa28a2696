import { afterAll, beforeAll, test } from "vitest";
import { drawn, IS_SAMPLE } from "../rig/share.ts";
import { ExplorerBundle } from "./explorer-bundle.ts";
import { SCENARIOS, type ScenarioName } from "./scenarios.ts";
import { STATES } from "./state-counts.ts";

/** Every interleaving of the four roles in all small worlds, to their end. */

/** A sample draws worlds until they have this many states in total. */
const SAMPLE_STATES_MAX = 2_500_000;

let bundle: ExplorerBundle;
let statesTotal = 0;

beforeAll(async () => {
  bundle = await ExplorerBundle.build();
});

afterAll(async () => {
  console.log(`${statesTotal} states explored, all there are in what was drawn`);
  await bundle[Symbol.asyncDispose]();
});

const isScenario = (name: string): name is ScenarioName => name in SCENARIOS;

/** The largest first, so that at the end no core works on one alone. */
const largestFirst = Object.keys(SCENARIOS)
  .filter(isScenario)
  .sort((a, b) => STATES[b] - STATES[a]);

const chosen = IS_SAMPLE ? sampleOf(largestFirst) : new Set(largestFirst);

/** The largest world exceeds a sample: a world that is drawn and does not fit is left out. */
function sampleOf(names: readonly ScenarioName[]): ReadonlySet<ScenarioName> {
  let states = 0;
  return new Set(
    drawn(names, "model").filter((name) => {
      if (states + STATES[name] > SAMPLE_STATES_MAX) return false;
      states += STATES[name];
      return true;
    }),
  );
}

for (const scenario of largestFirst) {
  const explores = chosen.has(scenario) ? test.concurrent : test.concurrent.skip;
  explores(`no invariant is broken in any state of '${scenario}'`, async ({ expect }) => {
    const { broken, states, endings } = await bundle.explore({ scenario });
    statesTotal += states;
    console.log(`${scenario}: ${states} states, ends ${JSON.stringify(endings)}`);
    expect(broken).toBeUndefined();
    expect(states).toBe(STATES[scenario]);
  });
}
