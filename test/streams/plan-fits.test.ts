import { expect, test } from "vitest";
import type { PlanMilestone } from "../../src/fs-protocol/record-fields.ts";
import { planMisfit } from "../../src/streams/plan-fits.ts";
import { build, stateWith } from "../model/hand-made.ts";
import { milestoneOf } from "../model/names.ts";

/** Of four milestones, the first is completed and the second has one of two boxes ticked. */
const { builder: OWN } = stateWith({
  builder: [
    build.adopts(0, ["a1", "b2", "c1", "d1"]),
    build.ends("a1", 0, 1),
    build.closes("all"),
    build.ticks("b2", [1]),
  ],
  commits: 1,
});

function misfitOf(names: readonly string[]): string | undefined {
  return planMisfit(OWN, names.map(milestoneOf));
}

/** The milestone with other tasks. */
function changed(name: string): PlanMilestone {
  const milestone = milestoneOf(name);
  return { ...milestone, tasks: milestone.tasks.map((task) => `${task}, but better`) };
}

test("a plan may change, drop, add and move what has not begun", () => {
  expect(misfitOf(["a1", "b2", "c1", "d1"])).toBeUndefined();
  expect(misfitOf(["a1", "b2", "d1", "x3", "c1"])).toBeUndefined();
  expect(misfitOf(["x3", "a1", "y1", "b2"])).toBeUndefined();
  expect(planMisfit(OWN, [milestoneOf("a1"), milestoneOf("b2"), changed("c1")])).toBeUndefined();
});

test("a plan may not drop what is completed or started", () => {
  expect(misfitOf(["b2", "c1"])).toBe(`it drops the milestone "a1", which is already begun`);
  expect(misfitOf(["a1", "c1"])).toBe(`it drops the milestone "b2", which is already begun`);
  expect(misfitOf([])).toBe(`it drops the milestone "a1", which is already begun`);
});

test("a plan may not move what is begun before what came earlier", () => {
  expect(misfitOf(["b2", "a1", "c1"])).toBe(`it moves the milestone "b2" before an earlier one`);
});

test("a plan may not change the tasks of what is begun, nor their order or number", () => {
  const reason = `it changes the tasks of the milestone "b2", which is already begun`;
  const [a1, b2] = [milestoneOf("a1"), milestoneOf("b2")];
  expect(planMisfit(OWN, [a1, changed("b2")])).toBe(reason);
  expect(planMisfit(OWN, [a1, { ...b2, tasks: b2.tasks.toReversed() }])).toBe(reason);
  expect(planMisfit(OWN, [a1, { ...b2, tasks: [...b2.tasks, "one more"] }])).toBe(reason);
});

test("before the first plan nothing is begun, and any plan fits", () => {
  expect(planMisfit(stateWith({}).builder, [milestoneOf("a1")])).toBeUndefined();
});
