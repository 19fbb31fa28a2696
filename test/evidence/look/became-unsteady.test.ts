import { expect, test } from "vitest";
import { SPLIT_END_LOOKS, SPLIT_START_LOOKS_MAX } from "../../../src/base/look-limits.ts";
import {
  AS_SPLIT,
  splitVerdict,
  type SplitSeen,
} from "../../../src/evidence/look/became-unsteady.ts";
import type { AloneLooks } from "../../../src/fs-protocol/records/alone-looks.ts";

const looks = (green: number, red: number, unknown = 0): AloneLooks => ({ green, red, unknown });
const STEADY = looks(SPLIT_START_LOOKS_MAX, 0);

test("a test that was red at the start as well is not the range's fault, after one red look there", () => {
  expect(splitVerdict({ end: looks(4, 6), start: looks(3, 1) })).toEqual({ kind: "before" });
  expect(splitVerdict({ end: looks(4, 6), start: AS_SPLIT })).toEqual({ kind: "before" });
});

test("a test that was always green at the start became unsteady: often from half of the looks on", () => {
  const became = (end: AloneLooks) => splitVerdict({ end, start: STEADY });
  expect(became(looks(5, 5))).toEqual({ kind: "became", isOften: true });
  expect(became(looks(6, 4))).toEqual({ kind: "became", isOften: false });
});

test("fewer looks than the limit at the start clear nobody and blame nobody", () => {
  const fewer = looks(SPLIT_START_LOOKS_MAX - 1, 0);
  expect(splitVerdict({ end: looks(4, 6), start: fewer })).toEqual({ kind: "again", at: "start" });
});

test("a test that does not run alone is unknown, at either end", () => {
  expect(splitVerdict({ end: looks(1, 1, 1), start: looks(0, 0) })).toEqual({
    kind: "unknown",
    at: "end",
  });
  expect(splitVerdict({ end: looks(4, 6), start: looks(5, 0, 1) })).toEqual({
    kind: "unknown",
    at: "start",
  });
});

test("every sequence of looks ends, with ten at the end in all and at most twenty at the start", () => {
  const open: SplitSeen[] = [{ end: AS_SPLIT, start: looks(0, 0) }];
  let count = 0;
  for (let seen = open.pop(); seen !== undefined; seen = open.pop()) {
    const verdict = splitVerdict(seen);
    if (verdict.kind === "again") {
      const { green, red, unknown } = seen[verdict.at];
      for (const next of [
        looks(green + 1, red, unknown),
        looks(green, red + 1, unknown),
        looks(green, red, unknown + 1),
      ]) {
        open.push({ ...seen, [verdict.at]: next });
      }
      continue;
    }
    count++;
    const { end, start } = seen;
    expect(end.green + end.red).toBeLessThanOrEqual(SPLIT_END_LOOKS);
    expect(start.green + start.red).toBeLessThanOrEqual(SPLIT_START_LOOKS_MAX);
    if (verdict.kind === "before") expect(start.red).toBe(1);
    if (verdict.kind === "became") expect([start.red, start.green]).toEqual([0, 20]);
    if (open.length > 5_000) throw new Error("it goes on and on");
  }
  expect(count).toBeGreaterThan(100);
});
