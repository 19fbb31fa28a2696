import fc from "fast-check";
import { expect, test } from "vitest";
import {
  checkPlan,
  planProblemSentence,
  splitSentence,
  type PlanProblem,
  type StandingMilestone,
} from "../../src/fs-protocol/tasks/plan-check.ts";
import { renderTasks } from "../../src/fs-protocol/tasks/tasks-render.ts";

const done: StandingMilestone = { name: "Base", tasks: ["one", "two"], state: "completed" };
const begun: StandingMilestone = { name: "API", tasks: ["[feature] three"], state: "started" };
const later = { name: "Docs", tasks: ["four"] };

function problems(
  plan: Parameters<typeof renderTasks>[0],
  standing: readonly StandingMilestone[],
): readonly PlanProblem[] {
  const result = checkPlan(renderTasks(plan), standing);
  return result.ok ? [] : result.failure.problems;
}

function sentences(
  plan: Parameters<typeof renderTasks>[0],
  standing: readonly StandingMilestone[],
): readonly string[] {
  return problems(plan, standing).map(planProblemSentence);
}

test("accepts a draft that keeps completed and started milestones and changes the rest", () => {
  const plan = [done, { name: "New", tasks: ["five"] }, begun, later];
  expect(checkPlan(renderTasks(plan), [done, begun])).toMatchObject({
    ok: true,
    value: {
      milestones: plan.map(({ name, tasks }) => ({ name, tasks })),
      oversized: [],
      document: { milestones: plan.map(({ name }) => ({ name })) },
    },
  });
});

test("refuses a draft that does not parse or repeats a milestone, with its line", () => {
  expect(checkPlan("no plan", [])).toMatchObject({
    ok: false,
    failure: { kind: "plan", problems: [{ kind: "tasks", line: 1 }] },
  });
  expect(sentences([later, later], [])).toEqual([
    'Line 5 of the plan: the milestone "Docs" is already at line 1; names are unique.',
  ]);
});

test("requires every completed or started milestone", () => {
  expect(problems([later], [done, begun])).toEqual([
    { kind: "standing-missing", standing: done },
    { kind: "standing-missing", standing: begun },
  ]);
  expect(sentences([later], [begun])).toEqual([
    "The started milestone 'API' is missing from the plan. Keep it as it is.",
  ]);
});

test.each([
  ["one task fewer", ["one"]],
  ["one task more", ["one", "two", "three"]],
  ["another text", ["one", "Two"]],
  ["another order", ["two", "one"]],
])("refuses changed tasks of a completed milestone: %s", (_, tasks) => {
  expect(problems([{ name: "Base", tasks }, later], [done])).toEqual([
    { kind: "standing-changed", standing: done },
  ]);
  expect(sentences([{ name: "Base", tasks }], [done])).toEqual([
    "The tasks of the completed milestone 'Base' were changed. Keep them word for word.",
  ]);
});

test("refuses completed and started milestones in another order", () => {
  expect(problems([begun, later, done], [done, begun])).toEqual([
    { kind: "standing-moved", standing: begun, predecessor: "Base" },
  ]);
  expect(sentences([begun, done], [done, begun])).toEqual([
    "The started milestone 'API' was moved before the milestone 'Base'. " +
      "Keep what is begun in its order.",
  ]);
  expect(problems([later, done, begun], [done, begun])).toEqual([]);
});

test("reports all problems at once", () => {
  const changed = { name: "API", tasks: ["other"] };
  const third: StandingMilestone = { name: "Third", tasks: ["x"], state: "started" };
  expect(problems([changed, done], [done, begun, third]).map(({ kind }) => kind)).toEqual([
    "standing-changed",
    "standing-moved",
    "standing-missing",
  ]);
});

test("ignores the planner's ticks", () => {
  const draft = renderTasks([done, later], new Map([["Docs", new Set([1])]]));
  expect(checkPlan(draft, [done])).toMatchObject({ ok: true });
});

test("steps of completed tasks may change", () => {
  const draft = "## Milestone: Base\n- [x] one\n  - a new step\n- [ ] two\n";
  expect(checkPlan(draft, [done])).toMatchObject({ ok: true });
});

test("advises to split new milestones of more than five tasks", () => {
  const tasks = (count: number) => Array.from({ length: count }, (_, at) => `t${String(at)}`);
  const big: StandingMilestone = { name: "Big", tasks: tasks(9), state: "started" };
  const plan = [big, { name: "Five", tasks: tasks(5) }, { name: "Six", tasks: tasks(6) }];
  expect(checkPlan(renderTasks(plan), [big])).toMatchObject({
    ok: true,
    value: { oversized: [{ name: "Six", count: 6 }] },
  });
});

test("asks the planner to split in the words of the seed", () => {
  expect(splitSentence({ name: "User API", count: 8 })).toBe(
    "Milestone 'User API' has 8 tasks. " +
      "Split it into smaller milestones of at most 5 tasks each.",
  );
});

test("accepts a plan exactly if the begun milestones are a verbatim subsequence of it", () => {
  const milestone = fc.record({
    name: fc.constantFrom("A", "B", "C", "D"),
    tasks: fc.constantFrom<string[]>(["x"], ["y"]),
  });
  const plan = fc.uniqueArray(milestone, { minLength: 1, selector: ({ name }) => name });
  fc.assert(
    fc.property(plan, plan, (next, before) => {
      const standing = before.map((each) => ({ ...each, state: "completed" as const }));
      const kept = next.filter(({ name }) => standing.some((each) => each.name === name));
      const isKept = JSON.stringify(kept) === JSON.stringify(before);
      expect(problems(next, standing).length === 0).toBe(isKept);
    }),
    { numRuns: 500 },
  );
});
