import fc from "fast-check";
import { expect, test } from "vitest";
import { present } from "../../src/base/assert.ts";
import { compileRequest, type CompiledRequest } from "../../src/session/rules/compile-request.ts";
import { parseTasks } from "../../src/fs-protocol/tasks/tasks-md.ts";
import { taskListOf } from "../../src/fs-protocol/tasks/task-list.ts";

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
    "# Milestone 1: setup\n\nInstall it.\n",
    "## Milestone planning: how\n\nWords.\n\n- [ ] Install\n",
    "## Milestone 1: setup\n\n- [ ] Install\n\n## Milestone 2: more\n\nIn prose.\n",
    "- [ ] Is it fast?\n- [ ] Is it small?\n",
    "# Questions\n\n- [ ] Is it fast?\n",
    "## Work\n\n- [ ] Do it\n  - [x] Half of it\n",
    "## Work\n\n- [ ] Do it\n\n## Work\n\n- [ ] Do it again\n",
    '{"tasks": [{"id": 1, "title": "Do it", "state": "done"}]}\n',
    '{"version": "2.0.0", "tasks": [{"label": "build", "type": "shell"}]}\n',
    '{"userStories": "none"}\n',
    '{"userStories": ["As a user, I want to read a file"]}\n',
    '{"userStories": [{"id": 7, "title": "Read a file", "state": "In Progress"}]}\n',
    "{not JSON at all}\n",
    '```json\n[{"description": "A"}]\n```\n\nIs that all?\n\n```json\n[]\n```\n',
    "### User Story 1 - Read a file (Priority: P1)\n\n1. **Given** a file\n",
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

test("a TASKS.md is accepted verbatim, ticks included", () => {
  const text = "# Notes\n\n## Milestone: One\n\n- [x] Say hello\n- [ ] Say goodbye\n";
  const result = compiled(text);
  expect(result).toMatchObject({ form: "tasks", text, oversized: [] });
  expect(result.plan.ticks).toEqual([{ m: "One", tasks: [1] }]);
  expect(refused("## Milestone: One\n\n- [ ] a\n\n## Milestone: One\n\n- [ ] b\n")).toMatchObject({
    kind: "tasks",
    line: 5,
  });
});

/** The common shape of a requirements document: chapters of prose around stories, boxes among the prose. */
const PRD = [
  "# PRD: Export",
  "",
  "## Introduction",
  "",
  "People want their rows elsewhere.",
  "",
  "## User Stories",
  "",
  "### US-001: Choose a format",
  "",
  "**Description:** As a user, I want to choose a format, so that",
  "my program can read it.",
  "",
  "**Acceptance Criteria:**",
  "",
  "- [ ] `--format` takes `csv` and `json`",
  "- [x] Without it the format is `csv`",
  "  - also where nobody is at a terminal",
  "- [ ] Typecheck passes",
  "",
  "---",
  "",
  "### US-002: Write to a file",
  "",
  "As a user, I want the rows in a file.",
  "",
  "**Acceptance Criteria:**",
  "- [ ] `--out FILE` writes there",
  "- Nothing is overwritten without `--force`",
  "",
  "**Notes:**",
  "- Mind the encoding",
  "",
  "## Functional Requirements",
  "",
  "- FR-1: US-001 comes before US-002",
  "",
  "## Open Questions",
  "",
  "- [ ] Which encoding?",
  "- [x] Which formats?",
  "",
].join("\n");

test("a requirements document in the common shape compiles to exactly its stories and criteria", () => {
  const { form, text, bare, loose } = compiled(PRD);
  expect({ form, bare, loose }).toEqual({ form: "stories", bare: [], loose: [40, 41] });
  expect(text).toBe(
    [
      "## Milestone: US-001: Choose a format",
      "",
      "> As a user, I want to choose a format, so that my program can read it.",
      "",
      "- [ ] `--format` takes `csv` and `json`",
      "- [x] Without it the format is `csv`",
      "  - also where nobody is at a terminal",
      "- [ ] Typecheck passes",
      "",
      "## Milestone: US-002: Write to a file",
      "",
      "> As a user, I want the rows in a file.",
      "",
      "- [ ] `--out FILE` writes there",
      "- [ ] Nothing is overwritten without `--force`",
      "",
    ].join("\n"),
  );
});

test("the same document with its stories below epics, and dashes for colons, makes the same plan", () => {
  const deeper = PRD.replaceAll("### US-", "#### US-").replaceAll(/^(#### US-\d+): /gm, "$1 – ");
  expect(compiled(deeper).text).toBe(compiled(PRD).text);
  expect(compiled(PRD.replaceAll("\n", "\r\n")).text).toBe(compiled(PRD).text);
});

test("a document with work both in stories and in milestones is refused, because one of them would be lost", () => {
  const both = `${PRD}\n## Milestone 1: More\n\n- [ ] Compress the file\n`;
  expect(refused(both)).toMatchObject({ kind: "tasks", line: 45 });
  const grouped = PRD.replace("## User Stories", "## Milestone 1: Export");
  expect(compiled(grouped).text).toBe(compiled(PRD).text);
});

test("a milestone in another notation is normalized if that changes nothing else", () => {
  const text =
    "# Milestone 1: One\n\n- [x] a\n\n# Milestone 2: One\n\n- [ ] b\n\n# Notes\n\n- [ ] c\n";
  const { form, text: plan, loose } = compiled(text);
  expect({ form, loose }).toEqual({ form: "tasks", loose: [11] });
  expect(plan).toBe(
    text
      .replace("# Milestone 1: One", "## Milestone: One")
      .replace("# Milestone 2: One", "## Milestone: 2: One"),
  );
  // At level 2 the heading below it would end it.
  const nested = "# Milestone 1: One\n\n## Tasks\n\n- [ ] a\n";
  expect(compiled(nested).text).toBe(nested);
  expect(compiled(nested).plan.milestones).toEqual([{ name: "One", tasks: ["a"] }]);
});

test("an item of a JSON list has a title, a description or both, and null counts as missing", () => {
  const list = [
    { title: "A", description: "How A is", acceptanceCriteria: ["one"], category: null },
    { title: "B", description: "B", steps: null },
    { description: "C", category: "Setup", passes: null, milestone: null },
  ];
  expect(compiled(JSON.stringify(list)).text).toBe(
    "## Milestone: Tasks\n\n- [ ] A\n  - How A is\n  - one\n- [ ] B\n\n" +
      "## Milestone: Setup\n\n- [ ] [Setup] C\n",
  );
});

test("a mistake in stories in JSON is reported with its item", () => {
  const refusedStories = (...userStories: readonly unknown[]) =>
    refused(JSON.stringify({ userStories }));
  const story = { id: "US-001", title: "A", acceptanceCriteria: ["a"] };
  expect(refusedStories()).toMatchObject({ kind: "task-list", item: undefined });
  expect(refusedStories(story, { passes: false })).toMatchObject({ item: 2 });
  expect(refusedStories(story, { ...story, title: "B" })).toMatchObject({ item: 2 });
  expect(refusedStories(story, story)).toMatchObject({ item: 2 });
  expect(refusedStories({ ...story, acceptanceCriteria: "a", passes: false })).toMatchObject({
    item: 1,
  });
  expect(refusedStories({ ...story, passes: true })).toEqual({ kind: "all-done" });
  expect(refused('{\n  "project": "x",\n  "userStories": [{]}')).toMatchObject({
    kind: "task-list",
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

test("a task that passes in a JSON task list is ticked, and its steps are kept", () => {
  const list = [
    { category: "feature", description: "A", steps: ["one", "two"], passes: true },
    { category: "test", description: "B", steps: [], passes: false, priority: 3 },
  ];
  const { text, plan: draft } = compiled(JSON.stringify(list));
  expect(draft.ticks).toEqual([{ m: "Tasks", tasks: [1] }]);
  expect(text).toBe("## Milestone: Tasks\n\n- [x] [feature] A\n  - one\n  - two\n- [ ] [test] B\n");
});

test("a mistake in a JSON task list is reported with its item, and a list with nothing to do is refused", () => {
  expect(
    refused('[\n  {"description": "A"},\n  {"category": 7, "description": "B"}]'),
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
  const categories = ["setup", "feature", "bugfix", "refactor", "test", "docs", "CLI work", "ui"];
  const item = fc.record({
    category: fc.constantFrom(...categories),
    description: word,
    steps: fc.array(word, { maxLength: 3 }),
    passes: fc.boolean(),
  });
  fc.assert(
    fc.property(fc.array(item, { minLength: 1, maxLength: 12 }), (list) => {
      const first = compileRequest(JSON.stringify(list));
      // A text that is blank after cleaning is refused.
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
