import fc from "fast-check";
import { expect, test } from "vitest";
import { isNoWorse, type ComparedVerify } from "../../../src/evidence/verify/no-worse.ts";
import type { Tally } from "../../../src/fs-protocol/records/tally.ts";

const PASSED = { outcome: "passed", failing: undefined } as const;
const RED = { outcome: "failed", failing: undefined } as const;
/** A red result; a name that occurs twice failed twice. */
const red = (names: readonly string[], tally: Omit<Tally, "rules"> = {}): ComparedVerify => {
  const failing = [...new Set(names)].sort();
  const times = failing.map((name) => names.filter((each) => each === name).length);
  return { outcome: "failed", failing, tally: { rules: 2, times, ...tally } };
};
const ofOlderWisp = (...failing: readonly string[]) => ({ outcome: "failed", failing }) as const;

const CASES: readonly (readonly [string, ComparedVerify, ComparedVerify, boolean])[] = [
  ["green after green", PASSED, PASSED, true],
  ["green after red", PASSED, red(["a"]), true],
  ["red after green", red(["a"]), PASSED, false],
  ["red after green, unreadable", RED, PASSED, false],
  ["the same failures", red(["a", "b"]), red(["b", "a"]), true],
  ["fewer failures", red(["a"]), red(["a", "b"]), true],
  ["another failure", red(["c"]), red(["a", "b"]), false],
  ["one more failure", red(["a", "b"]), red(["a"]), false],
  ["unreadable after, because it did not get far enough", RED, red(["a"]), false],
  ["a namesake fails as well", red(["a", "a"]), red(["a"]), false],
  ["one of two namesakes still fails", red(["a"]), red(["a", "a"]), true],
  ["more failed in the totals", red(["a"], { failed: 2 }), red(["a"], { failed: 1 }), false],
  ["fewer failed in the totals", red(["a"], { failed: 1 }), red(["a"], { failed: 2 }), true],
  ["totals only now", red(["a"], { failed: 9, passed: 0 }), red(["a"]), true],
  ["fewer passed", red(["a"], { passed: 4 }), red(["a"], { passed: 5 }), false],
  ["more passed", red(["a"], { passed: 6 }), red(["a"], { passed: 5 }), true],
];

test.each(CASES)(
  "isNoWorse for %s, whether or not a red base was accepted",
  (_, after, before, expected) => {
    for (const isRedAccepted of [false, true]) {
      expect(isNoWorse(after, before, { isRedAccepted, removed: 0 })).toBe(expected);
    }
  },
);

test.each([
  ["both unreadable", RED, RED],
  ["unreadable before", red(["a"]), RED],
])(
  "%s: counts as worse, because nothing tells, unless a person has accepted that",
  (_, after, before) => {
    expect(isNoWorse(after, before, { isRedAccepted: false, removed: 0 })).toBe(false);
    expect(isNoWorse(after, before, { isRedAccepted: true, removed: 0 })).toBe(true);
  },
);

test("fewer passed tests are no worse if the range removed as many, or if that cannot be told", () => {
  const [after, before] = [red(["a"], { passed: 3 }), red(["a"], { passed: 5 })];
  const by = (removed: number | undefined) =>
    isNoWorse(after, before, { isRedAccepted: false, removed });
  expect([by(0), by(1), by(2), by(undefined)]).toEqual([false, false, true, true]);
});

test("if not all names are known the totals decide, and without them it is worse", () => {
  const cut = (passed: number | undefined, failed: number | undefined) =>
    red(["a"], { isCut: true, passed, failed });
  const by = { isRedAccepted: false, removed: 0 };
  expect(isNoWorse(red(["b"], { passed: 5, failed: 9 }), cut(5, 9), by)).toBe(true);
  expect(isNoWorse(cut(5, 10), cut(5, 9), by)).toBe(false);
  expect(isNoWorse(cut(4, 9), cut(5, 9), by)).toBe(false);
  expect(isNoWorse(cut(undefined, 9), cut(5, 9), by)).toBe(false);
  expect(isNoWorse(cut(5, 9), cut(5, undefined), by)).toBe(false);
  expect(isNoWorse(cut(5, 9), cut(5, 9), { ...by, removed: undefined })).toBe(false);
});

test("results of an older wisp are compared by their names alone, with those of this one, too", () => {
  const by = { isRedAccepted: false, removed: 0 };
  expect(isNoWorse(ofOlderWisp("a"), ofOlderWisp("a", "b"), by)).toBe(true);
  expect(isNoWorse(ofOlderWisp("c"), ofOlderWisp("a", "b"), by)).toBe(false);
  expect(isNoWorse(red(["a", "a"], { failed: 7 }), ofOlderWisp("a"), by)).toBe(true);
  expect(isNoWorse(ofOlderWisp("a"), red(["a"], { failed: 1, isCut: true }), by)).toBe(true);
  expect(isNoWorse(red(["a > b"]), ofOlderWisp("b"), by)).toBe(false);
});

const names = fc.array(fc.constantFrom("a", "b", "c > a", "d"), { minLength: 1, maxLength: 12 });
const by = { isRedAccepted: true, removed: 0 };

test("any failure more than before is worse, be it of a namesake", () => {
  fc.assert(
    fc.property(names, fc.nat(), (all, at) => {
      const extra = all[at % all.length] ?? "a";
      expect(isNoWorse(red(all), red(all), by)).toBe(true);
      expect(isNoWorse(red([...all, extra]), red(all), by)).toBe(false);
      expect(isNoWorse(red([...all, "new"]), red(all), by)).toBe(false);
    }),
  );
});

test("more failed, or fewer passed than were removed, is worse whatever the names say", () => {
  const numbers = fc.nat({ max: 50 });
  fc.assert(
    fc.property(names, names, fc.tuple(numbers, numbers, numbers), (one, other, counts) => {
      const [passed, failed, removed] = counts;
      const before = red([...one, ...other], { passed, failed });
      const more = red(one, { passed, failed: failed + 1 });
      expect(isNoWorse(more, before, { ...by, removed })).toBe(false);
      const fewer = red(one, { passed: passed - 1 - removed, failed });
      expect(isNoWorse(fewer, before, { ...by, removed })).toBe(false);
      const asMany = red(one, { passed: passed - removed, failed });
      expect(isNoWorse(asMany, before, { ...by, removed })).toBe(true);
    }),
  );
});

test("no worse than one that is no worse is no worse, in whatever order the names are", () => {
  fc.assert(
    fc.property(names, names, names, (one, two, three) => {
      const [a, b, c] = [red(one), red([...one, ...two]), red([...three, ...two, ...one])];
      expect(isNoWorse(a, b, by) && isNoWorse(b, c, by)).toBe(true);
      expect(isNoWorse(a, c, by)).toBe(true);
      expect(isNoWorse(red([...one].reverse()), red(one), by)).toBe(true);
    }),
  );
});
