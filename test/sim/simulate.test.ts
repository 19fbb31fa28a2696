import { afterAll, beforeAll, expect, test } from "vitest";
import { campaign, lateSeeds, tallyOf, unsafeSeeds } from "./campaign.ts";
import { SimBundle } from "./sim-bundle.ts";
import type { Simulated } from "./simulate.ts";

/**
 * The four shipped roles in a simulated world, which a seed determines completely. `WISP_SIM_SEED=7` simulates that
 * one seed and prints the end of its trace; the long tests simulate thousands.
 */

const CHOSEN = process.env["WISP_SIM_SEED"];
const SEEDS = CHOSEN === undefined ? { from: 1, count: 16 } : { from: Number(CHOSEN), count: 1 };
/** A single seed may have few faults. */
const EACH_SEED_MIN = CHOSEN === undefined ? 1 : 0;
/** Lines of the trace that are printed for a chosen seed. */
const LINES_SHOWN = 300;

let bundle: SimBundle;
let simulated: readonly Simulated[] = [];

beforeAll(async () => {
  bundle = await SimBundle.build();
  simulated = await campaign(bundle, SEEDS.from, SEEDS.count);
  console.log(tallyOf(simulated));
});

afterAll(async () => {
  await bundle[Symbol.asyncDispose]();
});

test("sessions lose nothing and do nothing twice, whatever fails", () => {
  expect(unsafeSeeds(simulated)).toEqual([]);
});

test("every session ends once nothing fails any more", () => {
  expect(lateSeeds(simulated)).toEqual([]);
  expect(simulated.map(({ ending }) => ending)).not.toContain(undefined);
});

test("the simulated sessions have many faults of each kind, and end both complete and stuck", () => {
  const endings = new Set(simulated.map(({ ending }) => ending));
  expect(endings.size).toBeGreaterThan(EACH_SEED_MIN);
  const sum = (count: (faults: Simulated["faults"]) => number) =>
    simulated.reduce((total, { faults }) => total + count(faults), 0);
  const least = EACH_SEED_MIN * SEEDS.count;
  expect(sum(({ kills }) => kills)).toBeGreaterThanOrEqual(least);
  expect(sum(({ tornWrites }) => tornWrites)).toBeGreaterThanOrEqual(least / 10);
  expect(sum(({ powerCuts }) => powerCuts)).toBeGreaterThanOrEqual(least / 2);
  expect(sum(({ diskErrors }) => diskErrors)).toBeGreaterThanOrEqual(least / 2);
  expect(sum(({ droppedHints }) => droppedHints)).toBeGreaterThanOrEqual(least);
  expect(sum(({ delayedHints }) => delayedHints)).toBeGreaterThanOrEqual(least);
});

test("a seed reproduces its session, event by event", async () => {
  const [first, again, other] = await Promise.all(
    [SEEDS.from, SEEDS.from, SEEDS.from + 1].map((from) =>
      bundle.simulate({ from, count: 1, isTraced: true }),
    ),
  );
  if (CHOSEN !== undefined) console.log(first?.[0]?.trace?.slice(-LINES_SHOWN).join("\n"));
  expect(again?.[0]).toEqual(first?.[0]);
  expect(first?.[0]?.digest).toMatch(/^[0-9a-f]{64}$/);
  expect(other?.[0]?.digest).not.toBe(first?.[0]?.digest);
});

test("a seed gives the same session whichever seeds were simulated before it", async () => {
  const row = await bundle.simulate({ from: SEEDS.from, count: 3 });
  const [alone] = await bundle.simulate({ from: SEEDS.from + 2, count: 1 });
  expect(alone).toEqual(row[2]);
});
