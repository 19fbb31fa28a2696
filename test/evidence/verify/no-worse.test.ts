import { expect, test } from "vitest";
import { isNoWorse } from "../../../src/evidence/verify/no-worse.ts";

const PASSED = { outcome: "passed", failing: undefined } as const;
const RED = { outcome: "failed", failing: undefined } as const;
const red = (...failing: readonly string[]) => ({ outcome: "failed", failing }) as const;

test.each([
  ["green after green", PASSED, PASSED, true],
  ["green after red", PASSED, red("a"), true],
  ["red after green", red("a"), PASSED, false],
  ["red after green, unreadable", RED, PASSED, false],
  ["the same failures", red("a", "b"), red("b", "a"), true],
  ["fewer failures", red("a"), red("a", "b"), true],
  ["another failure", red("c"), red("a", "b"), false],
  ["one more failure", red("a", "b"), red("a"), false],
  ["unreadable after, because it did not get far enough to name the tests", RED, red("a"), false],
])("isNoWorse for %s, whether or not a red base was accepted", (_, after, before, expected) => {
  for (const isRedAccepted of [false, true]) {
    expect(isNoWorse(after, before, isRedAccepted)).toBe(expected);
  }
});

test.each([
  ["both unreadable", RED, RED],
  ["unreadable before", red("a"), RED],
])(
  "%s: counts as worse, because nothing tells, unless a person has accepted that",
  (_, after, before) => {
    expect(isNoWorse(after, before, false)).toBe(false);
    expect(isNoWorse(after, before, true)).toBe(true);
  },
);
