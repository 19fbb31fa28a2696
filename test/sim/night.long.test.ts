import { afterAll, beforeAll, expect, test } from "vitest";
import type { Edit } from "../rig/planting.ts";
import { earlyTurns, latePauses, pausesOf, turnsOfOther } from "./night-checks.ts";
import { SimBundle } from "./sim-bundle.ts";
import type { NightRun } from "./simulate-night.ts";

/**
 * Nights in virtual time: the shipped roles with the adapters of claude and codex, each of which is at its limit three
 * times. Limits are told by an event, a clock time in another zone, one of the machine's zone, with a date, and a
 * duration; one ends at 3 a.m., in most nights after clocks were changed.
 */

const NIGHTS = 5;

let nights: readonly NightRun[] = [];

async function simulated(count: number, edits: readonly Edit[] = []): Promise<typeof nights> {
  await using bundle = await SimBundle.build(edits);
  return await bundle.simulateNights({ firstNight: 1, nights: count });
}

beforeAll(async () => {
  nights = await simulated(NIGHTS);
});

afterAll(() => {
  const told = nights.map(({ turns, windows }) => [turns.length, windows.length].join(" of "));
  console.log(`turns and limits: ${told.join(", ")}`);
});

test("the work of every night is done, although each engine was at its limit", () => {
  expect(nights.map(({ ending, wrong }) => [ending, wrong])).toEqual(
    nights.map(() => ["complete", undefined]),
  );
  const told = nights.flatMap(({ windows }) => windows.filter((one) => one.toldMs !== undefined));
  expect(new Set(told.map(({ telling }) => telling))).toEqual(
    new Set(["event", "zone", "clock", "date", "span"]),
  );
  expect(new Set(nights.map(({ zone }) => zone)).size).toBe(3);
});

test("no turn is begun with an engine before a limit that was told is over", () => {
  expect(nights.flatMap(earlyTurns)).toEqual([]);
});

test("when both engines are at their limits, work goes on within two minutes of the first end", () => {
  expect(nights.flatMap(latePauses)).toEqual([]);
  expect(nights.flatMap(pausesOf).length).toBeGreaterThan(NIGHTS);
});

test("the first engine takes its turns again once its limit is over", () => {
  expect(nights.flatMap(turnsOfOther)).toEqual([]);
});

test("no limit is charged as an attempt, and none waits for a person", () => {
  expect(nights.flatMap(({ charged }) => charged)).toEqual([]);
});

test.each<[name: string, edit: Edit]>([
  [
    "a clock time is read in the zone of the machine, whatever zone is named",
    {
      file: "engines/judge/clock-words.ts",
      find: "named === undefined ? zone : (SHORT_ZONES[named.toLowerCase()] ?? named)",
      replace: "zone",
    },
  ],
  [
    "the event that tells when a limit ends is forgotten",
    {
      file: "engines/events/turn-report.ts",
      find: "event.isReached ? laterLimit(report.limit, event) : undefined",
      replace: "undefined",
    },
  ],
])("a night shows it if %s", async (_, edit) => {
  const [night] = await simulated(1, [edit]);
  if (night === undefined) throw new Error("there is no night");
  const checks = [earlyTurns, latePauses, turnsOfOther];
  expect([...checks.flatMap((check) => check(night)), ...night.charged]).not.toEqual([]);
});
