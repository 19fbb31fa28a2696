import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { estimateCost } from "../../src/session/rules/estimate-cost.ts";
import { lintPlan } from "../../src/session/rules/lint-plan.ts";
import { isPlanApproved, needsApproval, taskCount } from "../../src/session/rules/plan-approval.ts";
import { parseTasks } from "../../src/fs-protocol/tasks/tasks-md.ts";

const PLAN = "a".repeat(64);

const milestone = (name: string, tasks: number) => ({
  name,
  tasks: Array.from({ length: tasks }, (_, index) => `Task ${String(index)}`),
});
const staged = (...milestones: readonly ReturnType<typeof milestone>[]) => ({ milestones });
const first = { plan: [], planSha: undefined };
const inForce = { plan: [milestone("One", 2)], planSha: PLAN };

describe("whether a plan needs an approval", () => {
  const ask = { planApproval: {} };

  test("without the setting, none does", () => {
    expect(needsApproval(first, staged(milestone("One", 9)), {})).toBe(false);
  });

  test("the first plan does, and a later one only if it adds a milestone", () => {
    expect(needsApproval(first, staged(milestone("One", 1)), ask)).toBe(true);
    expect(needsApproval(inForce, staged(milestone("One", 5)), ask)).toBe(false);
    expect(needsApproval(inForce, staged(milestone("One", 2), milestone("Two", 1)), ask)).toBe(
      true,
    );
  });

  test("above a limit of tasks, also a later plan that only has more of them", () => {
    const above = { planApproval: { tasks: 3 } };
    expect(needsApproval(first, staged(milestone("One", 3)), above)).toBe(false);
    expect(needsApproval(first, staged(milestone("One", 4)), above)).toBe(true);
    expect(needsApproval(inForce, staged(milestone("One", 4)), above)).toBe(true);
    const large = { ...inForce, plan: [milestone("One", 9)] };
    expect(needsApproval(large, staged(milestone("One", 8)), above)).toBe(false);
  });

  test("above a limit of cost, by what a task cost before, and always if nobody knows", () => {
    const cost = (usdPerTask?: number) => ({ planApproval: { usd: 1, usdPerTask } });
    expect(needsApproval(first, staged(milestone("One", 2)), cost(0.5))).toBe(false);
    expect(needsApproval(first, staged(milestone("One", 3)), cost(0.5))).toBe(true);
    expect(needsApproval(first, staged(milestone("One", 1)), cost())).toBe(true);
  });
});

test("an approval counts only for the bytes that it names, and only after they were staged", () => {
  const digest = fc.constantFrom(PLAN, "b".repeat(64));
  const approvals = fc.array(fc.record({ plan: digest, index: fc.nat(9) }));
  fc.assert(
    fc.property(approvals, digest, fc.nat(9), (approved, plan, human) => {
      const expected = approved.filter((one) => one.plan === plan).map(({ index }) => index);
      expect(isPlanApproved({ plan, human }, approved)).toBe(Math.max(-1, ...expected) >= human);
    }),
  );
});

describe("the estimate of a plan", () => {
  const work = (tasks: number, costUsd: number | undefined, durationMs = 1_000 * tasks) => {
    return { tasks, costUsd, durationMs };
  };

  test("is unknown where no earlier session tells", () => {
    expect(estimateCost([], 5)).toEqual({ costUsd: undefined, durationMs: undefined });
    expect(estimateCost([work(1, undefined)], 5).costUsd).toBeUndefined();
  });

  test("scales what a task took, and says from how many sessions", () => {
    const past = [work(2, 1), work(1, 2), work(4, undefined, 12_000)];
    expect(estimateCost(past, 10)).toEqual({
      costUsd: { low: 5, high: 20, n: 2 },
      durationMs: { low: 10_000, high: 30_000, n: 3 },
    });
  });

  test("is never outside of what was seen, and leaves out the extremes of many sessions", () => {
    const costs = fc.array(fc.integer({ min: 1, max: 1_000 }), { minLength: 1, maxLength: 20 });
    fc.assert(
      fc.property(costs, (seen) => {
        const { costUsd } = estimateCost(
          seen.map((usd) => work(1, usd)),
          1,
        );
        const { low = 0, high = 0, n } = costUsd ?? {};
        expect(n).toBe(seen.length);
        expect(low).toBeGreaterThanOrEqual(Math.min(...seen));
        expect(high).toBeLessThanOrEqual(Math.max(...seen));
        expect(low).toBeLessThanOrEqual(high);
      }),
    );
    const many = [0.01, 2, 2, 3, 3, 3, 3, 4, 4, 900].map((usd) => work(1, usd));
    expect(estimateCost(many, 1).costUsd).toEqual({ low: 2, high: 4, n: 10 });
  });
});

test("the lint names placeholders, tasks that name nothing, missing acceptance and too many tasks", () => {
  const parsed = parseTasks(
    [
      "## Milestone: Fine",
      "",
      "- [ ] [feature] Split a line at commas",
      "- [ ] [test] Check that empty fields are kept",
      "",
      "## Milestone: Vague",
      "",
      "- [ ] Fix the bugs",
      "- [ ] [refactor] Clean up the code",
      "- [ ] Parse dates (format: TBD)",
      "",
      "## Milestone: Large",
      "",
      ...Array.from({ length: 6 }, (_, index) => `- [ ] Test route ${String(index)}`),
      "",
    ].join("\n"),
  );
  if (!parsed.ok) throw new Error("the plan does not parse");
  expect(lintPlan(parsed.value).map(({ kind, milestone: of, task }) => [kind, of, task])).toEqual([
    ["no-acceptance", "Vague", undefined],
    ["vague", "Vague", 1],
    ["vague", "Vague", 2],
    ["placeholder", "Vague", 3],
    ["oversized", "Large", undefined],
  ]);
  expect(taskCount([milestone("One", 2), milestone("Two", 3)])).toBe(5);
});
