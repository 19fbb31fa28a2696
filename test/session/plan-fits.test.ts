import { expect, test } from "vitest";
import { present } from "../../src/base/assert.ts";
import type { PlanMilestone } from "../../src/fs-protocol/codec/record-fields.ts";
import { editMisfit, planMisfit } from "../../src/session/steps/plan-fits.ts";
import { build, person, stateWith } from "../model/hand-made.ts";
import { milestoneOf, planDigest, shaAt } from "../model/names.ts";

/** Of four milestones, the first is completed and the second has one of its two boxes ticked. */
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
  return misfit(names.map(milestoneOf));
}

/** A plan of the planner, made for the plan in force. */
function misfit(milestones: readonly PlanMilestone[]): string | undefined {
  return planMisfit(OWN, staged(milestones, OWN.planSha));
}

function staged(milestones: readonly PlanMilestone[], base: string | undefined) {
  return { plan: planDigest(milestones), milestones, base };
}

/** The milestone with other tasks. */
function changed(name: string): PlanMilestone {
  const milestone = milestoneOf(name);
  return { ...milestone, tasks: milestone.tasks.map((task) => `${task}, but better`) };
}

test("a plan may change, drop, add and move milestones that have not begun", () => {
  expect(misfitOf(["a1", "b2", "c1", "d1"])).toBeUndefined();
  expect(misfitOf(["a1", "b2", "d1", "x3", "c1"])).toBeUndefined();
  expect(misfitOf(["x3", "a1", "y1", "b2"])).toBeUndefined();
  expect(misfit([milestoneOf("a1"), milestoneOf("b2"), changed("c1")])).toBeUndefined();
});

test("a plan may not drop completed or started milestones", () => {
  expect(misfitOf(["b2", "c1"])).toBe(`it drops the milestone "a1", which is already begun`);
  expect(misfitOf(["a1", "c1"])).toBe(`it drops the milestone "b2", which is already begun`);
  expect(misfitOf([])).toBe(`it drops the milestone "a1", which is already begun`);
});

test("a plan may not move a started milestone before an earlier one", () => {
  expect(misfitOf(["b2", "a1", "c1"])).toBe(`it moves the milestone "b2" before an earlier one`);
});

test("a plan may not change the tasks of a started milestone, nor their order or number", () => {
  const reason = `it changes the tasks of the milestone "b2", which is already begun`;
  const [a1, b2] = [milestoneOf("a1"), milestoneOf("b2")];
  expect(misfit([a1, changed("b2")])).toBe(reason);
  expect(misfit([a1, { ...b2, tasks: b2.tasks.toReversed() }])).toBe(reason);
  expect(misfit([a1, { ...b2, tasks: [...b2.tasks, "one more"] }])).toBe(reason);
});

test("before the first plan nothing is begun, and any plan fits", () => {
  const first = staged([milestoneOf("a1")], undefined);
  expect(planMisfit(stateWith({}).builder, first)).toBeUndefined();
});

test("a plan that was made for another plan than the one in force does not fit", () => {
  const reason = "it was made for another plan than the one in force";
  expect(planMisfit(OWN, staged(OWN.plan, undefined))).toBe(reason);
  expect(planMisfit(OWN, staged(OWN.plan, planDigest([])))).toBe(reason);
});

test("a person may change everything except recorded milestones", () => {
  const edit = (milestones: readonly PlanMilestone[]) => {
    const { human } = stateWith({ human: [person.edits(0, [])] });
    return editMisfit(OWN, { ...present(human.edit, "it was edited"), milestones });
  };
  expect(edit([milestoneOf("a1")])).toBeUndefined();
  expect(edit([milestoneOf("c1"), milestoneOf("a1"), changed("b2")])).toBeUndefined();
  expect(edit([milestoneOf("b2")])).toBe(
    `it drops the milestone "a1", which is completed meanwhile`,
  );
  expect(edit([changed("a1")])).toBe(
    `it changes the tasks of the milestone "a1", which is completed meanwhile`,
  );
});

test("a milestone set aside with commits on the branch counts as started, unless the session is halted", () => {
  const { builder } = stateWith({
    builder: [
      build.adopts(0, ["a1", "b1"]),
      { ...build.idles("a1", 1), outcome: "unverified", commits: [shaAt(1)] },
      build.ends("b1", 1, 2),
    ],
    commits: 2,
  });
  const without = staged([milestoneOf("b1")], builder.planSha);
  const halt = { reason: "no progress", explanation: "none" };
  expect(planMisfit(builder, without)).toContain('drops the milestone "a1"');
  expect(planMisfit({ ...builder, stage: { kind: "halt", halt } }, without)).toBeUndefined();
  expect(planMisfit({ ...builder, backed: new Set() }, without)).toBeUndefined();
});
