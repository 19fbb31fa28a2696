import { afterAll, beforeAll, expect, test } from "vitest";
import { SimBundle } from "./sim-bundle.ts";
import type { NightRun } from "./simulate-night.ts";

/**
 * Nights in virtual time: the shipped roles with the adapters of claude and codex, each of which is at its limit three
 * times. Limits are told by an event, a clock time in another zone, one of the machine's zone, with a date, and a
 * duration; one ends at 3 a.m., in most nights after clocks were changed.
 */

const NIGHTS = 5;
const MINUTE_MS = 60_000;
/** A role that began its turn at the same time as another one was told cannot have known. */
const AT_ONCE_MS = 10_000;

let bundle: SimBundle;
let nights: readonly NightRun[] = [];

beforeAll(async () => {
  bundle = await SimBundle.build();
  nights = await bundle.simulateNights({ firstNight: 1, nights: NIGHTS });
});

afterAll(async () => {
  await bundle[Symbol.asyncDispose]();
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
  const early = nights.flatMap(({ seed, windows, turns }) =>
    windows.flatMap(({ engine, toldMs = Infinity, toMs }) =>
      turns
        .filter((turn) => turn.engine === engine)
        .filter(({ atMs }) => atMs > toldMs + AT_ONCE_MS && atMs < toMs)
        .map(({ atMs }) => `night ${String(seed)}: ${engine} ${new Date(atMs).toISOString()}`),
    ),
  );
  expect(early).toEqual([]);
});

/** When both engines were at a limit that was told, and until when. */
function pausesOf({ windows }: NightRun) {
  const told = windows.filter((one) => one.toldMs !== undefined);
  return told.flatMap((one) =>
    told.flatMap((other) => {
      if (one.engine !== "claude" || other.engine !== "codex") return [];
      const fromMs = Math.max(one.toldMs ?? 0, other.toldMs ?? 0);
      const toMs = Math.min(one.toMs, other.toMs);
      return fromMs + 2 * MINUTE_MS < toMs ? [{ fromMs, toMs }] : [];
    }),
  );
}

test("when both engines are at their limits, work goes on within two minutes of the first end", () => {
  let pauses = 0;
  for (const night of nights) {
    for (const { toMs } of pausesOf(night)) {
      pauses += 1;
      const next = night.turns.find(({ atMs }) => atMs >= toMs)?.atMs ?? Infinity;
      const first = Math.min(
        ...night.turns.map(({ atMs }) => atMs).filter((atMs) => atMs >= toMs),
        next,
      );
      expect(first - toMs, `night ${String(night.seed)}`).toBeLessThanOrEqual(2 * MINUTE_MS);
    }
  }
  expect(pauses).toBeGreaterThan(NIGHTS);
});

test("the first engine takes its turns again once its limit is over", () => {
  const others = nights.flatMap(({ seed, windows, turns }) =>
    turns
      .filter(({ engine }) => engine === "codex")
      .filter(({ atMs }) => {
        const limits = windows.filter(({ engine }) => engine === "claude");
        // Its turn may have shown the limit just before, and it is left alone up to a minute longer.
        return !limits.some((one) => one.fromMs <= atMs && atMs <= one.toMs + 2 * MINUTE_MS);
      })
      .map(({ atMs }) => `night ${String(seed)}: ${new Date(atMs).toISOString()}`),
  );
  expect(others).toEqual([]);
});

test("no limit is charged as an attempt, and none waits for a person", () => {
  expect(nights.flatMap(({ charged }) => charged)).toEqual([]);
});
