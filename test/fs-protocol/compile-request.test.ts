import fc from "fast-check";
import { expect, test } from "vitest";
import { present } from "../../src/base/assert.ts";
import { compileRequest, type CompiledRequest } from "../../src/fs-protocol/compile-request.ts";
import { parseTasks } from "../../src/fs-protocol/tasks-md.ts";
import { taskListOf } from "../../src/fs-protocol/task-list.ts";

function compiled(text: string): CompiledRequest {
  const result = compileRequest(text);
  expect(result).toMatchObject({ ok: true });
  return present(result.ok ? result.value : undefined, "the request is a plan");
}

function refused(text: string): unknown {
  const result = compileRequest(text);
  return result.ok ? undefined : result.failure;
}

/** Names and tasks only. */
function plan(text: string): Readonly<Record<string, readonly string[]>> {
  const { milestones } = compiled(text).plan;
  return Object.fromEntries(milestones.map(({ name, tasks }) => [name, tasks]));
}

test("prose is for a planner, whatever lists and headings it has", () => {
  for (const text of [
    "# RFC\n\nDo the thing.\n",
    "## Milestone: one\n\nIn prose.\n",
    "### Milestone 1: setup\n\n- [ ] Install\n",
    "## User Stories\n\n- As a user, I want to read a file.\n",
    "[Draft] An RFC\n",
    "[{{name}}] is a placeholder\n",
  ]) {
    expect(compileRequest(text)).toEqual({ ok: true, value: undefined });
  }
});

test("each story is a milestone and its criteria are the tasks, as many as there are", () => {
  const criteria = Array.from({ length: 9 }, (_, index) => `- [ ] Criterion ${String(index)}`);
  const text = `### US-007: Read\n\nAs a user.\n\n**Acceptance Criteria:**\n\n${criteria.join("\n")}\n`;
  const { form, text: tasks, oversized } = compiled(text);
  expect(form).toBe("stories");
  expect(oversized).toEqual([{ name: "US-007: Read", count: 9 }]);
  expect(tasks).toContain("## Milestone: US-007: Read\n\n> As a user.\n\n- [ ] Criterion 0\n");
  expect(plan(text)["US-007: Read"]).toHaveLength(9);
});

test("a TASKS.md is taken to the letter, ticks included", () => {
  const text = "# Notes\n\n## Milestone: One\n\n- [x] Say hello\n- [ ] Say goodbye\n";
  const result = compiled(text);
  expect(result).toMatchObject({ form: "tasks", text, oversized: [] });
  expect(result.plan.ticks).toEqual([{ m: "One", tasks: [1] }]);
  expect(refused("## Milestone: One\n\n- [ ] a\n\n## Milestone: One\n\n- [ ] b\n")).toMatchObject({
    kind: "tasks",
    line: 5,
  });
});

test("a JSON task list becomes milestones of the set-up and of at most five tasks each", () => {
  const task = (category: string, description: string) => ({ category, description });
  const list = [
    task("setup", "Create the package"),
    ...Array.from({ length: 7 }, (_, index) => task("feature", `Feature ${String(index)}`)),
  ];
  expect(plan(JSON.stringify(list))).toEqual({
    Setup: ["[setup] Create the package"],
    Tasks: [
      "[feature] Feature 0",
      "[feature] Feature 1",
      "[feature] Feature 2",
      "[feature] Feature 3",
    ],
    "Tasks 2": ["[feature] Feature 4", "[feature] Feature 5", "[feature] Feature 6"],
  });
});

test("what passes in a JSON task list is ticked, and its steps are kept", () => {
  const list = [
    { category: "feature", description: "A", steps: ["one", "two"], passes: true },
    { category: "test", description: "B", steps: [], passes: false, priority: 3 },
  ];
  const { text, plan: draft } = compiled(JSON.stringify(list));
  expect(draft.ticks).toEqual([{ m: "Tasks", tasks: [1] }]);
  expect(text).toBe("## Milestone: Tasks\n\n- [x] [feature] A\n  - one\n  - two\n- [ ] [test] B\n");
});

test("a mistake in a JSON task list is told by its item, and a list with nothing to do is refused", () => {
  expect(
    refused('[\n  {"description": "A"},\n  {"category": "ui", "description": "B"}]'),
  ).toMatchObject({ kind: "task-list", item: 2 });
  expect(refused('[{"description": "A"}, {}]')).toMatchObject({ kind: "task-list", item: 2 });
  expect(refused('[{"description": "A",}]')).toMatchObject({ kind: "task-list", item: undefined });
  expect(refused("[]")).toMatchObject({ kind: "task-list" });
  expect(refused('[{"description": " "}]')).toMatchObject({ kind: "task-list", item: 1 });
  expect(refused('[{"description": "A", "passes": true}]')).toEqual({ kind: "all-done" });
  expect(refused("## Milestone: One\n\n- [x] a\n")).toEqual({ kind: "all-done" });
});

test("the task list of any plan is a request for the same plan", () => {
  const word = fc.string({ unit: "grapheme", minLength: 1, maxLength: 30 });
  const categories = ["setup", "feature", "bugfix", "refactor", "test", "docs"] as const;
  const item = fc.record({
    category: fc.constantFrom(...categories),
    description: word,
    steps: fc.array(word, { maxLength: 3 }),
    passes: fc.boolean(),
  });
  fc.assert(
    fc.property(fc.array(item, { minLength: 1, maxLength: 12 }), (list) => {
      const first = compileRequest(JSON.stringify(list));
      // What is blank when it is cleaned is refused.
      if (!first.ok || first.value === undefined) return;
      const document = parseTasks(first.value.text);
      expect(document.ok).toBe(true);
      if (!document.ok) return;
      const again = compiled(JSON.stringify(taskListOf(document.value)));
      expect(again.plan).toEqual(first.value.plan);
    }),
    { numRuns: 40 },
  );
});
