import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { need } from "../../../src/base/fatal.ts";
import type { SplitTest } from "../../../src/evidence/look/try-splits.ts";
import { trySplits } from "../../../src/evidence/look/try-splits.ts";
import { unsteady, unsteadyFindings } from "../../../src/evidence/rules/unsteady.ts";
import { sessionRig } from "../../agents/role-rig.ts";
import { PASSED } from "../../agents/turns.ts";
import { sha } from "../../rig/records.ts";

const RANGE = { start: sha(1), end: sha(2), m: "One" };
const NAME = "test/a.test.js > waits";
const ENDS = { end: { green: 4, red: 6, unknown: 0 }, start: { green: 20, red: 0, unknown: 0 } };

function found(split: Partial<SplitTest>) {
  const one: SplitTest = { name: NAME, seen: ENDS, verdict: { kind: "before" }, ...split };
  return unsteadyFindings([one], RANGE);
}

test("a test that became unsteady in half of its runs or more is blocking, else a warning", () => {
  expect(found({ verdict: { kind: "became", isOften: true } })).toMatchObject([
    {
      level: "blocking",
      reviewer: "tests",
      file: "test/a.test.js",
      brief: `${NAME} became unsteady: 6 of 10, before 0 of 20`,
      computed: { of: "unsteady", names: [NAME], m: "One" },
    },
  ]);
  expect(found({ verdict: { kind: "became", isOften: false } })).toMatchObject([
    { level: "warning" },
  ]);
});

test("a test that cannot be run alone is a warning; one that was unsteady before is no finding", () => {
  expect(found({ verdict: { kind: "unknown", at: "end" } })).toMatchObject([
    { level: "warning", brief: `${NAME} is unsteady` },
  ]);
  expect(found({ verdict: { kind: "before" } })).toEqual([]);
});

/** A reviewer, and a test whose n-th run, from 1, fails if the first expression holds; it is there if the second one does. */
function reviewerOf(fails: string, isThere = "true") {
  const marks = mkdtempSync(join(tmpdir(), "wisp-"));
  const runs = JSON.stringify(join(marks, "runs"));
  const text = `
const fs = require("node:fs");
fs.appendFileSync(${runs}, "x");
const n = fs.statSync(${runs}).size;
if (${isThere}) require("node:test")("waits", () => { if (${fails}) throw new Error("no"); });
`;
  const rig = sessionRig({ files: { "test/a.test.js": text } });
  const session = { verify: [["node", "--test"]] };
  const { context, recordsOf } = rig.role("reviewer", () => PASSED, { session });
  const at = rig.session.base;
  const looks = () => recordsOf("look").map(({ verdict }) => verdict);
  const tried = async () =>
    trySplits(context, need(await context.reader.read()), {
      ...{ start: at, end: at },
      split: { start: [], end: [NAME] },
    });
  const again = async () => {
    const [item] = found({ verdict: { kind: "became", isOften: true } });
    if (item === undefined) throw new Error("there is no finding");
    return unsteady.findAgain(context, need(await context.reader.read()), { item, unit: "u", at });
  };
  const dispose = () => {
    rig[Symbol.dispose]();
    rmSync(marks, { recursive: true });
  };
  return { tried, again, looks, [Symbol.dispose]: dispose };
}

test("a fix is looked at ten times alone; one red look reopens the finding", async () => {
  using fixed = reviewerOf("false");
  expect(await fixed.again()).toMatchObject({ value: { kind: "closed" } });
  expect(fixed.looks()).toEqual(Array.from({ length: 10 }, () => "green"));
  using broken = reviewerOf("n === 3");
  expect(await broken.again()).toMatchObject({ value: { kind: "reopened" } });
  expect(broken.looks()).toEqual(["green", "green", "red"]);
});

test("a run alone that does not name the test says nothing, though it is green", async () => {
  const isWhole = `!process.execArgv.some((word) => word.startsWith("--test-name-pattern"))`;
  using reviewer = reviewerOf("false", isWhole);
  expect(await reviewer.tried()).toMatchObject([
    { name: NAME, verdict: { kind: "unknown", at: "end" } },
  ]);
  expect(reviewer.looks()).toEqual(["unknown"]);
});

test("looks that are on record are not taken again", async () => {
  using reviewer = reviewerOf("n % 2 === 0");
  const first = await reviewer.tried();
  const count = reviewer.looks().length;
  expect(first).toMatchObject([{ name: NAME, verdict: { kind: "before" } }]);
  expect(count).toBeGreaterThanOrEqual(8);
  await reviewer.tried();
  expect(reviewer.looks()).toHaveLength(count);
});
