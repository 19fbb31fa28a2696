import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { commandKey } from "../../../src/evidence/verify/command-key.ts";
import { checkTests } from "../../../src/evidence/integrity/check-tests.ts";
import type { Oid } from "../../../src/base/oid.ts";
import type { BuilderRecord } from "../../../src/fs-protocol/records/builder-log.ts";
import { timeAt } from "../../rig/records.ts";
import { publishChange, type Change } from "../../agents/publish-change.ts";
import { sessionRig, write, type SessionRig } from "../../agents/role-rig.ts";

/** Runs the files in `test`, and prints the names of failing tests as TAP. */
const RUNNER = `
const fs = require("node:fs");
fs.appendFileSync(require("node:path").resolve("../../..") + ".runs", "x");
let count = 0;
global.test = (name, body) => {
  count += 1;
  try { body(); } catch { process.exitCode = 1; console.log("not ok " + count + " - " + name); }
};
test.skip = () => undefined;
global.assert = require("node:assert");
for (const name of fs.readdirSync("test").sort()) require("./test/" + name);
`;
const VERIFY = [[process.execPath, "run.cjs"]];
const SUM = "exports.sum = (a, b) => a + b;\n";
const TESTS = `const { sum } = require("../sum.js");
test("adds", () => { assert.equal(sum(1, 2), 3); });
test("takes zero", () => { assert.equal(sum(0, 0), 0); });
`;
const FILES = { "run.cjs": RUNNER, "sum.js": SUM, "test/sum.test.js": TESTS };

/** Checks a range that makes this change to a project whose tests pass, but for those that are said to be red. */
async function looked(
  rig: SessionRig,
  change: Change,
  {
    tasks = ["Add a parser"],
    base = {},
    red = [],
  }: {
    readonly tasks?: readonly string[];
    readonly base?: Change;
    /** The names of the tests that are red at both ends. */
    readonly red?: readonly string[];
  } = {},
) {
  const clone = await rig.role("builder").context.clone();
  await clone.syncTo();
  const publish = (files: Change, message: string) => publishChange(clone, files, message);
  const start = await publish({ ...FILES, ...base }, "Start");
  const end = await publish(change, "Work");
  const verified = async (at: Oid): Promise<BuilderRecord> => {
    const tree = await clone.treeOf(at);
    const command = commandKey(VERIFY);
    const outcome = red.length === 0 ? "passed" : "failed";
    return {
      kind: "verify.result",
      time: timeAt(0),
      at,
      tree: tree.ok ? tree.value : "",
      command,
      outcome,
      ...(red.length === 0 ? {} : { failing: [...red] }),
    };
  };
  write(rig.at, { builder: [await verified(start), await verified(end)] });
  const role = rig.role("reviewer");
  const context = { ...role.context, session: { ...rig.session, verify: VERIFY } };
  const look = async () =>
    checkTests(context, await rig.at.state(), {
      unit: "review:One:x",
      start,
      end,
      m: "One",
      tasks,
    });
  const seen = await look();
  if (seen.kind !== "checked") throw new Error("it was stopped");
  return { ...role, ...seen, look, end };
}

function runs(rig: SessionRig): number {
  return readFileSync(`${rig.session.state}.runs`, { encoding: "utf8", flag: "a+" }).length;
}

test("a range that does not change tests causes no run and no evidence", async () => {
  using rig = sessionRig();
  const { evidence, findings } = await looked(rig, {
    "sum.js": `${SUM}// more\n`,
    "test/more.test.js": 'test("more", () => { assert.ok(sum(1, 1)); });\n',
  });
  expect([evidence, findings, runs(rig)]).toEqual(["", [], 0]);
});

test.each([
  ["deleted", TESTS.replace(/test\("takes.*\n/, "")],
  ["skipped", TESTS.replace('test("takes', 'test.skip("takes')],
  ["checks nothing any more", TESTS.replace("assert.equal(sum(0, 0), 0);", "")],
])("a test that is %s is a blocking finding without a run", async (word, text) => {
  using rig = sessionRig();
  const { evidence, findings } = await looked(rig, { "test/sum.test.js": text });
  expect(findings).toMatchObject([
    { level: "blocking", reviewer: "tests", category: "Tests", file: "test/sum.test.js" },
  ]);
  expect(findings[0]?.id).toMatch(/^TES-[0-9a-f]{6}$/);
  expect(findings[0]?.issue).toContain(`"takes zero": ${word}`);
  expect(evidence).toContain(`"takes zero": ${word}`);
  expect(evidence).toContain("they pass");
});

test("a deleted file of tests is named, and none of its tests runs", async () => {
  using rig = sessionRig();
  const { findings } = await looked(rig, { "test/sum.test.js": undefined, "test/x.test.js": "" });
  expect(findings).toMatchObject([
    {
      file: "test/sum.test.js",
      brief: "2 tests of test/sum.test.js were deleted, skipped or emptied",
    },
  ]);
  expect(findings[0]?.line).toBeUndefined();
});

test("a test bent to match the code is caught by running its old version", async () => {
  using rig = sessionRig();
  const { evidence, findings, end, context, recordsOf } = await looked(rig, {
    "sum.js": SUM.replace("+", "-"),
    "test/sum.test.js": TESTS.replace("sum(1, 2), 3", "sum(1, 2), -1"),
  });
  expect(findings).toMatchObject([
    {
      level: "blocking",
      file: "test/sum.test.js",
      brief: "1 test of test/sum.test.js as before this range fails on its code",
    },
  ]);
  expect(findings[0]?.issue).toContain("- adds");
  expect(evidence).toContain("they fail");
  // One red run blames nobody: it is confirmed twice.
  expect(recordsOf("command.result")).toMatchObject([
    { at: end, outcome: "failed", failing: ["adds"] },
    { at: end, outcome: "failed", failing: ["adds"], command: `again:${commandKey(VERIFY)}` },
    { at: end, outcome: "failed", command: `again:again:${commandKey(VERIFY)}` },
  ]);
  const clone = await context.clone();
  expect(await clone.isDirty()).toEqual({ ok: true, value: false });
  expect(readFileSync(join(clone.directory, "test/sum.test.js"), "utf8")).toContain("-1");
});

test("a break does not hide behind the name of a test that was red before", async () => {
  using rig = sessionRig();
  const RED = 'test("is red", () => { assert.equal(1, 2); });\n';
  const { findings } = await looked(
    rig,
    {
      "sum.js": SUM.replace("+", "-"),
      "test/red.test.js": undefined,
      "test/sum.test.js": TESTS.replace('"adds"', '"is red"'),
    },
    { base: { "test/red.test.js": RED }, red: ["is red"] },
  );
  const issues = findings.map(({ level, issue }) => [level, /^- adds$/m.test(issue)]);
  expect(issues).toContainEqual(["blocking", true]);
});

test.each([["Change what sums are: the second is taken away"], ["Correct test/sum.test.js"]])(
  "a bent test is accepted if the plan asks for it: %s",
  async (task) => {
    using rig = sessionRig();
    const { evidence, findings } = await looked(
      rig,
      {
        "sum.js": SUM.replace("+", "-"),
        "test/sum.test.js": TESTS.replace("sum(1, 2), 3", "sum(1, 2), -1"),
      },
      { tasks: [task] },
    );
    expect(findings).toEqual([]);
    expect(evidence).toContain("they fail");
  },
);

test("loosened checks are reported as evidence, without a finding", async () => {
  using rig = sessionRig();
  const { evidence, findings } = await looked(rig, {
    "test/sum.test.js": TESTS.replace("assert.equal(sum(1, 2), 3)", "assert.ok(sum(1, 2))"),
  });
  expect(findings).toEqual([]);
  expect(evidence).toContain('"adds": lets more pass');
});

test("an old test that fails once by chance is no finding, and the reviewer is told", async () => {
  using rig = sessionRig();
  const chance = `const mark = require("node:path").resolve("../../../chance");
test("by chance", () => {
  // Red once, in the first run that has it as it was.
  if (!require("node:fs").existsSync("changed") || require("node:fs").existsSync(mark)) return;
  require("node:fs").writeFileSync(mark, "");
  throw new Error("chance");
});
`;
  const { findings, evidence } = await looked(
    rig,
    { changed: "", "test/chance.test.js": `${chance}// more\n` },
    { base: { "test/chance.test.js": chance } },
  );
  expect(findings).toEqual([]);
  expect(evidence).toContain("they failed once, and what failed passed when they were run again");
  expect(runs(rig)).toBe(2);
});

test("the same trees run only once, even after a restart, and give the same ids", async () => {
  using rig = sessionRig();
  const { findings, look } = await looked(rig, {
    "sum.js": SUM.replace("+", "-"),
    "test/sum.test.js": TESTS.replace("sum(1, 2), 3", "sum(1, 2), -1"),
  });
  const before = runs(rig);
  const again = await look();
  expect(again.kind === "checked" && again.findings).toEqual(findings);
  expect([before, runs(rig)]).toEqual([3, 3]);
});

test("tests that cannot be overlaid on the new tree are evidence, not a failure", async () => {
  using rig = sessionRig();
  const { evidence, findings } = await looked(
    rig,
    { "test/deep": undefined, "test/deep/a.js": "", "test/sum.test.js": `${TESTS}// more\n` },
    { base: { "test/deep": "" } },
  );
  expect(evidence).toMatch(/could not be run|they pass|they fail/);
  expect(findings.filter(({ brief }) => brief.includes("sum.test.js"))).toEqual([]);
  expect(existsSync(rig.at.home.turns)).toBe(true);
});

/** A project whose verify command, `node run.cjs`, starts the program that package.json names. */
const BY_SCRIPT = {
  "tests.cjs": RUNNER,
  "run.cjs": `require("./" + JSON.parse(require("node:fs").readFileSync("package.json")).scripts.test);`,
  "package.json": '{ "name": "sums", "scripts": { "build": "b", "test": "tests.cjs" } }',
};
const NO_TESTS = '{ "name": "sums", "scripts": { "build": "c", "test": "none.cjs" } }';

test("a changed test command is reported, and the old tests run with the old command", async () => {
  using rig = sessionRig();
  const { evidence, findings, context } = await looked(
    rig,
    { "sum.js": SUM.replace("+", "-"), "package.json": NO_TESTS, "none.cjs": "" },
    { base: BY_SCRIPT },
  );
  expect(evidence).toContain('package.json:1 "test": test command changed (tests.cjs → none.cjs)');
  expect(evidence).toContain("with package.json as it was then: they fail");
  expect(findings).toMatchObject([
    {
      level: "blocking",
      file: "package.json",
      brief: "The test command of package.json as before this range fails on its code",
    },
  ]);
  expect(findings[0]?.issue).toContain("- adds");
  const clone = await context.clone();
  expect(await clone.isDirty()).toEqual({ ok: true, value: false });
  expect(readFileSync(join(clone.directory, "package.json"), "utf8")).toBe(NO_TESTS);
});

test("a changed test command is only evidence if the old tests still pass", async () => {
  using rig = sessionRig();
  const change = { "package.json": NO_TESTS, "none.cjs": "" };
  const { evidence, findings } = await looked(rig, change, { base: BY_SCRIPT });
  expect(findings).toEqual([]);
  expect(evidence).toContain("they pass");
  expect(runs(rig)).toBe(1);
});

test("a test command that the plan replaces is not a finding", async () => {
  using rig = sessionRig();
  const { findings } = await looked(
    rig,
    { "sum.js": SUM.replace("+", "-"), "package.json": NO_TESTS, "none.cjs": "" },
    { base: BY_SCRIPT, tasks: ["Switch the test script to none.cjs"] },
  );
  expect(findings).toEqual([]);
});
