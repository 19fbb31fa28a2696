import { expect, test } from "vitest";
import { present } from "../../src/base/assert.ts";
import type { BuilderRecord } from "../../src/fs-protocol/records/builder-log.ts";
import type { HumanEdit } from "../../src/session/state/fold-human.ts";
import { DEFAULT_POLICY } from "../rig/default-policy.ts";
import type { MilestoneTicks } from "../../src/fs-protocol/codec/record-fields.ts";
import {
  foldWrittenTasks,
  NO_TASKS_WRITTEN,
  tasksStatus,
} from "../../src/session/rules/written-tasks.ts";
import { build, person, stateWith } from "../model/hand-made.ts";
import { editDigest, milestoneOf, planDigest } from "../model/names.ts";

/** The texts of plans, by the digests that the model's records use for them. */
const PLANS = new Map([
  [planDigest([milestoneOf("a2")]), text("a2", " ", " ")],
  [planDigest([milestoneOf("b2")]), text("b2", " ", " ")],
  [editDigest(0), text("e2", " ", "x")],
]);

function text(name: string, ...boxes: readonly string[]): string {
  const tasks = boxes.map((box, index) => `- [${box}] ${name}.${String(index + 1)}\n`);
  return `## Milestone: ${name}\n\n${tasks.join("")}`;
}

function found(tasks: string | undefined, records: readonly BuilderRecord[], pending?: HumanEdit) {
  const shown = records.reduce(
    (before, record) => foldWrittenTasks(before, record, DEFAULT_POLICY),
    NO_TASKS_WRITTEN,
  );
  return tasksStatus(tasks, shown, pending, (plan) => PLANS.get(plan));
}

const ADOPTED = build.adopts(0, ["a2"]);
const BEGUN = build.begins("build:a2:1");
const TICKED = build.ticks("a2", [1]);
const AGAIN = build.begins("build:a2:2");

function edited(names: readonly string[], ticks: MilestoneTicks[]): HumanEdit {
  return present(stateWith({ human: [person.edits(0, names, ticks)] }).human.edit, "an edit");
}

test("before the first plan no TASKS.md is expected, so an existing one is an edit", () => {
  expect(found(undefined, [])).toBe("current");
  expect(found(text("a2", " ", " "), [])).toBe("edited");
});

test("the plan in force with the accepted ticks is the expected text; any other text is an edit", () => {
  const records = [ADOPTED, BEGUN, TICKED, AGAIN];
  expect(found(text("a2", "x", " "), records)).toBe("current");
  expect(found(text("a2", "x", "x"), records)).toBe("edited");
  expect(found(`${text("a2", "x", " ")}\nA remark.\n`, records)).toBe("edited");
  expect(found(undefined, records)).toBe("behind");
});

test("a text that a killed builder had not replaced yet is not an edit", () => {
  expect(found(undefined, [ADOPTED])).toBe("behind");
  expect(found(text("a2", " ", " "), [ADOPTED, BEGUN, TICKED])).toBe("behind");
  const replanned = [ADOPTED, BEGUN, TICKED, build.closes("all"), build.adopts(1, ["b2"])];
  expect(found(text("a2", "x", " "), replanned)).toBe("behind");
});

test("clearing a new tick counts as an edit once the builder has decided anything after it", () => {
  expect(found(text("a2", " ", " "), [ADOPTED, BEGUN, TICKED, AGAIN])).toBe("edited");
  const end: BuilderRecord = { kind: "role.end", time: TICKED.time, reason: "stopped" };
  expect(found(text("a2", " ", " "), [ADOPTED, BEGUN, TICKED, end])).toBe("edited");
});

test("records that follow from no decision prove nothing about TASKS.md", () => {
  const { time } = TICKED;
  const records: readonly BuilderRecord[] = [
    ADOPTED,
    BEGUN,
    TICKED,
    { kind: "role.start", time, pid: 1 },
    { kind: "note", time, text: "-" },
  ];
  expect(found(text("a2", " ", " "), records)).toBe("behind");
});

test("until an edit is adopted its text stays, and any other text is another edit", () => {
  const pending = edited(["e2"], [{ m: "e2", tasks: [2] }]);
  const records = [ADOPTED, BEGUN];
  expect(found(text("e2", " ", "x"), records, pending)).toBe("current");
  expect(found(text("a2", " ", " "), records, pending)).toBe("edited");
  expect(found(undefined, records, pending)).toBe("behind");
});

test("an edit that was adopted or refused but not yet replaced is not mistaken for another one", () => {
  const ticks = [{ m: "e2", tasks: [1, 2] }];
  const adopted = [ADOPTED, build.adoptsEdit(0, ["e2"], ticks)];
  expect(found(text("e2", " ", "x"), adopted)).toBe("behind");
  expect(found(text("e2", "x", "x"), adopted)).toBe("current");
  expect(found(text("a2", " ", " "), adopted)).toBe("edited");
  const { time } = TICKED;
  const refused: BuilderRecord = {
    kind: "plan.refuse",
    time,
    human: 0,
    plan: editDigest(0),
    reason: "",
  };
  expect(found(text("e2", " ", "x"), [ADOPTED, refused])).toBe("behind");
  expect(found(text("a2", " ", " "), [ADOPTED, refused])).toBe("current");
});
