import { expect, test } from "vitest";
import { describeUnit } from "../../src/workspace/session/describe-unit.ts";
import { unitKey } from "../../src/fs-protocol/records/unit-key.ts";

const SHA = "0123456789abcdef0123456789abcdef01234567";
const OTHER = "fedcba9876543210fedcba9876543210fedcba98";

test.each([
  [unitKey.plan(0, 0, 0, undefined), "the plan"],
  [unitKey.plan(2, 1, 1, undefined), "re-planning after 2 milestones"],
  [unitKey.build("API: models, and routes", 1), 'building "API: models, and routes"'],
  [unitKey.build("API", 2), 'building "API" (attempt 2)'],
  [unitKey.hint("API: models", 3), 'a stuck hint for "API: models" after 3 attempts'],
  [unitKey.fix(["COR-3fa2b1"], 1), "fixing COR-3fa2b1"],
  [unitKey.fix(["COR-3fa2b1", "COR-7f3a91"], 2), "fixing COR-3fa2b1+COR-7f3a91 (attempt 2)"],
  [unitKey.commits(SHA, SHA, undefined), "reviewing commit 0123456789"],
  [unitKey.commits(SHA, OTHER, 1), "reviewing commits 0123456789 to fedcba9876"],
  [unitKey.review("API", SHA, 1), 'reviewing milestone "API"'],
  [unitKey.verify("BUG-3fa2b1", SHA, 2), "looking again at BUG-3fa2b1 (attempt 2)"],
  [unitKey.test("API", SHA, undefined), 'testing milestone "API"'],
  [unitKey.final(3), "the final pass 3"],
])("%s is %s", (unit, words) => {
  expect(describeUnit(unit)).toBe(words);
});

test("a unit of another writer, and a name that would act on the terminal, are shown as text", () => {
  expect(describeUnit("dance:tango")).toBe('"dance:tango"');
  expect(describeUnit("build:%1B%5B2Jgone%0A:1")).toBe('building "gone"');
});
