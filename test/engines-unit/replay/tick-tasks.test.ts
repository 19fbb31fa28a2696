import { expect, test } from "vitest";
import { tickTasks } from "../../../src/engines/replay/tick-tasks.ts";

const TASKS = `# Plan

## Milestone: One

- [x] [setup] Make the folder
- [ ] Add the parser
  - [ ] a step
- [ ] Add the printer

Words.

## Milestone: Two: more

* [ ] Add the parser
`;

function changed(tasks: readonly (number | string)[], milestone = "One"): string[] {
  const ticked = tickTasks(TASKS, { milestone, tasks });
  if (!ticked.ok) expect.fail(ticked.failure);
  const before = TASKS.split("\n");
  return ticked.value.split("\n").filter((line, i) => line !== before[i]);
}

test("ticks tasks by number, counting ticked tasks but not steps", () => {
  expect(changed([2])).toEqual(["- [x] Add the parser"]);
  expect(changed([1])).toEqual([]);
  expect(changed([2, 3])).toEqual(["- [x] Add the parser", "- [x] Add the printer"]);
});

test("ticks tasks by a part of their text, only in their milestone", () => {
  expect(changed(["printer"])).toEqual(["- [x] Add the printer"]);
  expect(changed(["parser"], "Two: more")).toEqual(["* [x] Add the parser"]);
});

test.each([
  [[4], "One", 'no task 4 in milestone "One"'],
  [["compiler"], "One", 'no task "compiler" in milestone "One"'],
  [["Add"], "One", '2 tasks "Add" in milestone "One"'],
  [[1], "Three", 'there is no milestone "Three"'],
])("refuses text that does not occur exactly once: %j in %s", (tasks, milestone, failure) => {
  expect(tickTasks(TASKS, { milestone, tasks })).toEqual({ ok: false, failure });
});
