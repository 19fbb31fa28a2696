import { expect, test } from "vitest";
import { promoteRepeated } from "../../../src/agents/reviewer/promote-repeated.ts";
import type { Finding, Level } from "../../../src/fs-protocol/records/finding.ts";
import { finding } from "../../rig/records.ts";

const CAPS = new Map<string, Level>([
  ["correctness", "blocking"],
  ["simplicity", "warning"],
  ["docs", "suggestion"],
]);

function levels(found: readonly Finding[], known: readonly Finding[] = []): readonly string[] {
  const open = new Map(known.map((each) => [each.id, each]));
  return promoteRepeated(found, open, CAPS).map(({ level }) => level);
}

const note = (n: number, fields: Partial<Finding> = {}) =>
  finding(`COR-00000${String(n)}`, { level: "suggestion", reviewer: "simplicity", ...fields });

test("a remark about two places is one level higher, and explains why", () => {
  const both = [note(1), note(2, { brief: "It is  WRONG" })];
  const promoted = promoteRepeated(both, new Map(), CAPS);
  expect(promoted.map(({ level }) => level)).toEqual(["warning", "warning"]);
  expect(promoted[0]?.issue).toContain("It is so in 2 places");
});

test("a single remark keeps its level; so do two different ones, and the same of two reviewers", () => {
  expect(levels([note(1)])).toEqual(["suggestion"]);
  expect(levels([note(1), note(2, { brief: "Another" })])).toEqual(["suggestion", "suggestion"]);
  expect(levels([note(1), note(2, { reviewer: "correctness" })])).toEqual([
    "suggestion",
    "suggestion",
  ]);
});

test("no finding is above its reviewer's level, however often it is repeated", () => {
  const docs = [1, 2, 3].map((n) => note(n, { reviewer: "docs" }));
  expect(levels(docs)).toEqual(["suggestion", "suggestion", "suggestion"]);
  const warnings = [1, 2].map((n) => note(n, { level: "warning" }));
  expect(levels(warnings)).toEqual(["warning", "warning"]);
  expect(levels(warnings.map((each) => ({ ...each, reviewer: "correctness" })))).toEqual([
    "blocking",
    "blocking",
  ]);
});

test("the places of open findings count, but open findings keep their recorded level", () => {
  expect(levels([note(2)], [note(1)])).toEqual(["warning"]);
  expect(levels([note(1), note(2)], [note(1)])).toEqual(["suggestion", "warning"]);
  expect(levels([note(1)], [note(1)])).toEqual(["suggestion"]);
});
