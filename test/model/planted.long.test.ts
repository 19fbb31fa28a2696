import { expect, test } from "vitest";
import { reopens } from "../../src/session/state/fold-human.ts";
import { ExplorerBundle } from "./explorer-bundle.ts";
import type { Exploration } from "./explorer.ts";
import { ALL_PLANTED } from "./all-planted.ts";
import type { Planted } from "./planted.ts";
import type { ScenarioName } from "./scenarios.ts";
import { exploreRestarts, exploreShutdown } from "./supervisor-models.ts";

/**
 * Each naive rule, planted into the shipped source or the world around it, must break an invariant. This shows that the explorer detects what it is meant to detect.
 */

/** Each is found long before; a rule that is no longer found must not use up the machine's memory. */
const STATES_MAX = 200_000;

async function explore(planted: Planted): Promise<Exploration> {
  const { edits, ...task } = planted;
  await using bundle = await ExplorerBundle.build(edits);
  return await bundle.explore({ ...task, statesMax: STATES_MAX });
}

// All are started at once; the bundle queues them for the cores.
const explored = ALL_PLANTED.map((planted) => ({ planted, outcome: explore(planted) }));
for (const { outcome } of explored) outcome.catch(() => undefined);

for (const { planted, outcome } of explored) {
  const { name, rule, invariant } = planted;
  test(`${name}: ${invariant} is broken if ${rule}`, async () => {
    const { broken, states } = await outcome;
    const trace = broken?.trace ?? [];
    console.log(`${name}: ${trace.length} steps, found among ${states} states`);
    expect(broken?.invariant).toBe(invariant);
    expect(trace.length).toBeGreaterThan(0);
  });
}

test("the shipped rules break nothing in as many states as it took to find each planted rule", async () => {
  const farthest = new Map<ScenarioName, number>();
  for (const { planted, outcome } of explored) {
    const { states } = await outcome;
    farthest.set(planted.scenario, Math.max(states, farthest.get(planted.scenario) ?? 0));
  }
  await using bundle = await ExplorerBundle.build();
  const controls = [...farthest].map(async ([scenario, statesMax]) => {
    const { broken } = await bundle.explore({ scenario, statesMax });
    return broken === undefined ? [] : [scenario, broken];
  });
  expect((await Promise.all(controls)).flat()).toEqual([]);
});

test("R14: a human record is lost if the supervisor reads the logs once and ends", () => {
  expect(exploreShutdown(false).broken?.invariant).toBe("L2");
  expect(exploreShutdown(true)).toEqual({ states: 15, broken: undefined });
});

test("R25: the supervisor restarts roles for ever if any new line of human.log is a reason", () => {
  const isLonger: typeof reopens = ({ events }, done) => events.length > done.human;
  expect(exploreRestarts(isLonger).broken?.invariant).toBe("L3");
  expect(exploreRestarts(reopens)).toEqual({ states: 2, broken: undefined });
});
