import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { NARROWED_REPEATS_MAX } from "../../../src/base/look-limits.ts";
import { verifyAt } from "../../../src/evidence/verify/verify-at.ts";
import { EMPTY_BUILDER } from "../../../src/session/state/builder-state.ts";
import { sessionRig } from "../../agents/role-rig.ts";
import { PASSED } from "../../agents/turns.ts";

/** A file of tests of node's runner, in which `n` is how often it was loaded, this time included. */
function builderOf(tests: string, verify: string[][] = [["node", "--test"]], script = "") {
  const marks = mkdtempSync(join(tmpdir(), "wisp-"));
  const runs = join(marks, "runs");
  const text = `
const { test } = require("node:test");
const assert = require("node:assert");
const fs = require("node:fs");
fs.appendFileSync(${JSON.stringify(runs)}, "x");
const n = fs.statSync(${JSON.stringify(runs)}).size;
${tests}
`;
  const manifest = { "package.json": JSON.stringify({ scripts: { test: script } }) };
  const files = { "test/a.test.js": text, ...(script === "" ? {} : manifest) };
  const rig = sessionRig({ files });
  const role = rig.role("builder", () => PASSED, { session: { verify } });
  const looks = () =>
    role.recordsOf("look").map(({ only, verdict }) => [only?.join() ?? "whole", verdict]);
  const dispose = () => {
    rig[Symbol.dispose]();
    rmSync(marks, { recursive: true });
  };
  return { ...role, looks, at: rig.session.base, [Symbol.dispose]: dispose };
}

const WAITS = "test/a.test.js > waits";

test.each([
  ["node --test", [["node", "--test"]], ""],
  ["npm test", [["npm", "test"]], "node --test test/"],
  ["the second of two commands", [["true"], ["node", "--test"]], ""],
])(
  "a test that failed by chance is run alone, then the whole once more: green, and on record as split (%s)",
  async (_, verify, script) => {
    const tests = `test("adds", () => {}); test("waits", () => assert.notEqual(n, 1));`;
    using builder = builderOf(tests, verify, script);
    const verified = await verifyAt(builder.context, EMPTY_BUILDER, builder.at);
    expect(builder.looks()).toEqual([
      ["whole", "red"],
      [WAITS, "green"],
      ["whole", "green"],
    ]);
    expect(verified).toMatchObject({ outcome: "passed" });
    expect(builder.recordsOf("verify.result")).toMatchObject([{ looks: 3, split: [WAITS] }]);
    expect(builder.recordsOf("look").map(({ n, alone }) => [n, alone])).toEqual([
      [1, undefined],
      [2, "yes"],
      [3, "yes"],
    ]);
  },
);

test("a test that fails whenever it runs alone is red, and the whole suite is not run again", async () => {
  using builder = builderOf(`test("adds", () => {}); test("waits", () => assert.ok(false));`);
  const verified = await verifyAt(builder.context, EMPTY_BUILDER, builder.at);
  expect(verified).toMatchObject({ outcome: "failed", failing: [WAITS] });
  const alone = Array.from({ length: NARROWED_REPEATS_MAX }, () => [WAITS, "red"]);
  expect(builder.looks()).toEqual([["whole", "red"], ...alone]);
  expect(builder.recordsOf("look").at(-1)?.reason).toBe(`failed alone: ${WAITS}`);
});

test("a test that fails only after another one is red, and it is said that it fails only in company", async () => {
  using builder = builderOf(
    `let ran = 0; test("adds", () => { ran++; }); test("waits", () => assert.equal(ran, 0));`,
  );
  const verified = await verifyAt(builder.context, EMPTY_BUILDER, builder.at);
  expect(verified).toMatchObject({ outcome: "failed", failing: [WAITS] });
  expect(builder.looks()).toEqual([
    ["whole", "red"],
    [WAITS, "green"],
    ["whole", "red"],
    ["whole", "red"],
  ]);
  expect(builder.recordsOf("note").map(({ text }) => text)).toEqual([
    expect.stringMatching(/^failed only in company at .*: test\/a\.test\.js > waits$/u),
  ]);
});

test("only what has not passed is run again", async () => {
  using builder = builderOf(
    `test("one", () => assert.notEqual(n, 1)); test("two", () => assert.ok(n > 2));`,
  );
  await verifyAt(builder.context, EMPTY_BUILDER, builder.at);
  const [one, two] = ["test/a.test.js > one", "test/a.test.js > two"];
  expect(builder.looks()).toEqual([
    ["whole", "red"],
    [`${one},${two}`, "red"],
    [two, "green"],
    ["whole", "green"],
  ]);
});

test("a run alone that is green because nothing ran proves nothing: the whole is repeated", async () => {
  using builder = builderOf(`test("waits  twice", () => assert.ok(n > 2));`);
  await verifyAt(builder.context, EMPTY_BUILDER, builder.at);
  expect(builder.looks()).toEqual([
    ["whole", "red"],
    ["test/a.test.js > waits twice", "unknown"],
    ["whole", "green"],
  ]);
  expect(builder.recordsOf("look")[1]?.reason).toBe(
    "run alone, the output does not list test/a.test.js > waits twice",
  );
});

test("a subtest cannot be chosen, so the whole is repeated", async () => {
  using builder = builderOf(
    `test("parent", async (t) => { await t.test("kid", () => assert.ok(n > 1)); });`,
  );
  await verifyAt(builder.context, EMPTY_BUILDER, builder.at);
  expect(builder.looks()).toEqual([
    ["whole", "red"],
    ["whole", "green"],
  ]);
});

test("a test that shares its name with another failed one is not run alone, since a licence counts both", async () => {
  using builder = builderOf(
    `test("twin", () => assert.ok(n > 2)); test("twin", () => assert.ok(n > 2));`,
  );
  await verifyAt(builder.context, EMPTY_BUILDER, builder.at);
  expect(builder.looks()).toEqual([
    ["whole", "red"],
    ["whole", "red"],
    ["whole", "green"],
  ]);
});

test("a command that does not lead to one runner is repeated as a whole", async () => {
  const script = "true && node --test";
  using builder = builderOf(
    `test("waits", () => assert.notEqual(n, 1));`,
    [["npm", "test"]],
    script,
  );
  await verifyAt(builder.context, EMPTY_BUILDER, builder.at);
  expect(builder.looks()).toEqual([
    ["whole", "red"],
    ["whole", "green"],
  ]);
});
