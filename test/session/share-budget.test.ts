import fc from "fast-check";
import { expect, test } from "vitest";
import type { Budget } from "../../src/fs-protocol/home/budget.ts";
import {
  budgetText,
  LIMIT_NAMES,
  plusAmount,
  splitAmount,
  splitBudget,
  withShares,
} from "../../src/session/rules/share-budget.ts";
import { parseBudget } from "../../src/settings/schema/budget-setting.ts";

test("a budget is split evenly, and the cents, turns, tokens and seconds left over go to the first sessions", () => {
  expect(splitBudget({ usd: 90 }, 3)).toEqual({
    ok: true,
    value: [{ usd: 30 }, { usd: 30 }, { usd: 30 }],
  });
  expect(splitAmount("usd", 100, 3)).toEqual([33.34, 33.33, 33.33]);
  expect(splitAmount("turns", 8, 3)).toEqual([3, 3, 2]);
  expect(splitAmount("tokens", 2_000_000, 3)).toEqual([666_667, 666_667, 666_666]);
  expect(splitAmount("durationMs", 10_000, 4)).toEqual([3_000, 3_000, 2_000, 2_000]);
});

test("an amount of less than a cent for each is split in millionths of a dollar", () => {
  expect(splitAmount("usd", 0.02, 3)).toEqual([0.006667, 0.006667, 0.006666]);
});

test("a budget of which there is not one turn for each is not split", () => {
  expect(splitBudget({ usd: 9, turns: 2 }, 3)).toEqual({ ok: false, failure: "turns" });
});

test("the shares of any budget add up to exactly the whole, and no two differ by more than a unit and what is less than one", () => {
  const whole = fc.record({
    of: fc.constantFrom(...LIMIT_NAMES),
    atoms: fc.integer({ min: 1_000, max: 1_000_000_000 }),
    count: fc.integer({ min: 1, max: 40 }),
  });
  fc.assert(
    fc.property(whole, ({ of, atoms, count }) => {
      const amount = of === "usd" ? atoms / 1_000_000 : atoms;
      const parts = splitAmount(of, amount, count);
      expect(parts).toHaveLength(count);
      expect(parts.reduce((sum, part) => plusAmount(of, sum, part), 0)).toBe(amount);
      expect([...parts].sort((one, other) => other - one)).toEqual(parts);
    }),
  );
});

test("a share is written in a form that --budget accepts as the same budget", () => {
  const share = { usd: 33.34, turns: 7, tokens: 666_667, durationMs: 3_600_500 };
  expect(budgetText(share)).toBe("usd=33.34,turns=7,tokens=666667,duration=3600500ms");
  expect(parseBudget(budgetText(share))).toEqual({ ok: true, value: share });
});

test("shares change only limits that apply, and none below zero", () => {
  const share = (amounts: Budget) => ({ index: 0, id: "a.1", session: "a", amounts });
  const granted = [share({ usd: 12.1, turns: 5 })];
  expect(withShares({ usd: 30 }, { granted, given: [], limitsAt: {} })).toEqual({ usd: 42.1 });
  const given = [share({ usd: 0.1, turns: 9 })];
  const less = withShares({ usd: 0.3, turns: 4 }, { granted: [], given, limitsAt: {} });
  expect(less).toEqual({ usd: 0.2, turns: 0 });
});
