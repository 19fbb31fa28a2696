import { expect, test } from "vitest";
import { requestOf } from "../../src/actions/start/read-request.ts";
import { requestWords } from "../../src/actions/start/request-words.ts";

function words(text: string, { isProse = false } = {}): readonly string[] {
  const request = requestOf(Buffer.from(text), "/srv/request.md", { isProse });
  expect(request).toMatchObject({ ok: true });
  return request.ok ? requestWords(request.value) : [];
}

const STORIES = "### US-001: A\n\n- [x] a\n- [ ] b\n\n### US-002: B\n\n- [ ] c\n";

test("says in one line how a request was read, with its numbers of milestones and tasks", () => {
  expect(words("# RFC\n\nDo it.\n")).toEqual(["Read as prose: the planner makes the plan."]);
  expect(words(STORIES)).toEqual([
    "Read as 2 user stories: 2 milestones, 3 tasks, 1 of them done; it is the plan as it is.",
  ]);
  expect(words("## Milestone: A\n\n- [ ] a\n")).toEqual([
    "Read as a TASKS.md: 1 milestone, 1 task; it is the plan as it is.",
  ]);
  expect(words('[{"description": "A"}]')).toEqual([
    "Read as a task list: 1 milestone, 1 task; it is the plan as it is.",
  ]);
  expect(words("## A\n\n- [ ] a\n")).toEqual([
    "Read as a checklist: 1 milestone, 1 task; it is the plan as it is.",
  ]);
});

test("a request read with --plan is prose whatever its form, and marks of work already done are counted", () => {
  const done =
    "wisp: 1 mark in it says that something is already done: the planner knows that only from the document";
  const taken = "Read as prose: the planner makes the plan.";
  expect(words(STORIES, { isProse: true })).toEqual([taken, done]);
  expect(words("## Milestone: A\n\n- [] a\n", { isProse: true })).toEqual([taken]);
  const tasks = [{ status: "done" }, { status: "pending" }, { passes: true }];
  expect(words(JSON.stringify({ tasks }, undefined, 2))[1]).toContain("2 marks in it say");
});

test("warns about stories without criteria, boxes outside the plan and large milestones", () => {
  const bare = Array.from({ length: 4 }, (_, index) => `### US-00${String(index)}: Story\n`);
  const boxes = Array.from({ length: 6 }, (_, index) => `- [ ] criterion ${String(index)}`);
  const text = `${bare.join("\n")}\n### US-007: Large\n\n${boxes.join("\n")}\n\n## Questions\n\n- [ ] Why?\n`;
  expect(words(text).slice(1)).toEqual([
    'wisp: 4 stories have no acceptance criteria, and each becomes a single task: "US-000: Story", ' +
      '"US-001: Story", "US-002: Story", 1 more (--plan has the planner plan them)',
    "wisp: 1 box of the request stands among the criteria of no story, and so not in the plan: line 20",
    'wisp: "US-007: Large" has 6 tasks, more than 5; it is used as it is',
  ]);
});
