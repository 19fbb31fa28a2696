import { expect, test } from "vitest";
import { checkEdit } from "../../src/session/rules/check-edit.ts";
import type { HumanEdit } from "../../src/session/state/fold-human.ts";
import { ticksAfterEdit } from "../../src/session/rules/plan-edit.ts";
import { build, stateWith } from "../model/hand-made.ts";

/** The first milestone is recorded; one of two tasks of the second is accepted. */
const { builder: OWN } = stateWith({
  builder: [
    build.adopts(0, ["a1", "b2", "c1"]),
    build.ends("a1", 0, 1),
    build.closes("all"),
    build.ticks("b2", [1]),
  ],
  commits: 1,
});

const A1 = "## Milestone: a1\n\n- [x] a1.1\n\n";
const B2 = "## Milestone: b2\n\n- [x] b2.1\n- [ ] b2.2\n\n";
const C1 = "## Milestone: c1\n\n- [ ] c1.1\n";

function problemOf(text: string): string | undefined {
  const checked = checkEdit(text, OWN, undefined);
  return checked.ok ? undefined : `${String(checked.failure.line)}: ${checked.failure.problem}`;
}

function ticksOf(text: string, own = OWN) {
  const checked = checkEdit(text, OWN, undefined);
  return checked.ok ? ticksAfterEdit(own, checked.value) : checked.failure;
}

test("a person may change, drop, move and add milestones that are not recorded", () => {
  expect(problemOf(A1 + B2 + C1)).toBeUndefined();
  expect(problemOf(`${C1}\n${A1}## Milestone: d\n\n- [ ] Something else\n`)).toBeUndefined();
});

test("a text that is not a plan is refused with the line of the mistake", () => {
  expect(problemOf(`${A1}## Milestone: d\n`)).toBe(
    '5: the milestone "d" has no task: no line `- [ ] <task>`',
  );
});

test("recorded milestones must be unchanged, or the edit is refused with the line that differs", () => {
  expect(problemOf(B2 + C1)).toBe('1: the completed milestone "a1" is missing');
  expect(problemOf(A1.replace("a1.1", "a1.2") + B2)).toBe(
    '3: the tasks of the completed milestone "a1" were changed',
  );
  expect(problemOf(A1.replace("[x]", "[ ]") + B2)).toBe(
    '3: the tick of a task of the completed milestone "a1" was taken back',
  );
});

test("ticks that a person sets or clears count", () => {
  expect(ticksOf(A1 + B2 + C1)).toEqual([{ m: "b2", tasks: [1] }]);
  expect(ticksOf(A1 + B2.replace("[ ]", "[x]") + C1)).toEqual([{ m: "b2", tasks: [1, 2] }]);
  expect(ticksOf(A1 + B2.replace("[x]", "[ ]") + C1)).toEqual([]);
});

test("a tick stays with its task if another task is inserted before it", () => {
  const text = A1 + B2.replace("- [x] b2.1\n", "- [ ] b2.0\n- [x] b2.1\n");
  expect(ticksOf(text)).toEqual([{ m: "b2", tasks: [2] }]);
});

test("ticks accepted since the edit stay, except those that the person cleared", () => {
  const records = [build.adopts(0, ["b2"]), build.ticks("b2", [1, 2])];
  const { builder: later } = stateWith({ builder: records });
  expect(ticksOf(A1 + B2, later)).toEqual([{ m: "b2", tasks: [1, 2] }]);
  expect(ticksOf(A1 + B2.replace("[x]", "[ ]"), later)).toEqual([{ m: "b2", tasks: [2] }]);
});

test("a box that an edit clears after an earlier edit set it stays cleared", () => {
  const first: HumanEdit = {
    index: 0,
    plan: "",
    base: undefined,
    request: 0,
    milestones: [{ name: "c1", tasks: ["c1.1"] }],
    ticks: [{ m: "c1", tasks: [1] }],
    cleared: [],
  };
  const second = checkEdit(A1 + B2 + C1, OWN, first);
  expect(second.ok && second.value.cleared).toEqual([{ m: "c1", tasks: [1] }]);
});
