import { expect, test } from "vitest";
import type { CassetteStep } from "../../src/engines/replay/cassette-schema.ts";
import { checkSession } from "../rig/check-session.ts";
import { on, oneTask, needsWork, put, replaySession } from "../rig/replay-session.ts";

const RUNNER = `
import { readdirSync } from "node:fs";
let count = 0;
globalThis.test = (name, body) => {
  count += 1;
  try { body(); } catch { process.exitCode = 1; console.log("not ok " + count + " - " + name); }
};
for (const name of readdirSync("test").sort()) await import("./test/" + name);
`;
const SUM = "export const sum = (a, b) => a + b;\n";
const DIFFERENCE = "export const sum = (a, b) => a - b;\n";
const TAKES_ZERO = `test("takes zero", () => { assert.equal(sum(0, 0), 0); });\n`;
const TESTS = `import assert from "node:assert";
import { sum } from "../sum.mjs";
test("adds", () => { assert.equal(sum(1, 2), 3); });
${TAKES_ZERO}`;
const BUG = { category: "Bug", file: "hello.txt", brief: "A test fails", command: "node run.mjs" };
const FILES = { "run.mjs": RUNNER, "sum.mjs": SUM, "test/sum.test.mjs": TESTS };
const CONFIG = `verify: ["node", "run.mjs"]\n`;
/** Replaces one place of the tests. */
function patchTests(find: string, replace: string): CassetteStep {
  return { patch: { path: "test/sum.test.mjs", find, replace } };
}

test("wisp itself finds that the builder deleted a test, and the builder has to restore it", async () => {
  await using session = replaySession({
    files: FILES,
    config: CONFIG,
    turns: [
      ...oneTask("Add a greeting", put("hello.txt", "hello\n"), patchTests(TAKES_ZERO, "")),
      on({ purpose: "fix", finding: "TES-*" }, put("test/sum.test.mjs", TESTS)),
    ],
  });
  expect(await session.wisp("start", "request.md")).toMatchObject({ code: 0 });
  const { history, broken } = checkSession(session.home());
  expect(broken).toBeUndefined();
  const [finding] = history.reviewer.fold.items.values();
  expect(finding).toMatchObject({
    reviewer: "tests",
    level: "blocking",
    file: "test/sum.test.mjs",
    brief: "1 test of test/sum.test.mjs was deleted, skipped or emptied",
  });
  expect([...history.reviewer.fold.open]).toEqual([]);
  const branch = session.git("for-each-ref", "--format=%(refname)", "refs/heads/wisp");
  expect(session.git("show", branch + ":test/sum.test.mjs")).toContain("takes zero");
  expect(session.git("log", "--format=%s", branch, "^main")).toContain("fix(review): tests - TES-");
});

test("a test that was changed to match broken code is a finding, because its old version fails", async () => {
  await using session = replaySession({
    files: FILES,
    config: CONFIG,
    turns: [
      ...oneTask("Add a greeting", put("sum.mjs", DIFFERENCE), patchTests("2), 3", "2), -1")),
      on({ purpose: "fix", finding: "TES-*" }, put("sum.mjs", SUM), patchTests("2), -1", "2), 3")),
    ],
  });
  expect(await session.wisp("start", "request.md")).toMatchObject({ code: 0 });
  const { history, broken } = checkSession(session.home());
  expect(broken).toBeUndefined();
  const [finding] = history.reviewer.fold.items.values();
  expect(finding?.issue).toContain("- adds");
  expect([...history.reviewer.fold.open]).toEqual([]);
  const ran = history.reviewer.records.filter(({ kind }) => kind === "command.result");
  // The failure is confirmed twice before it is a finding.
  const failed = { outcome: "failed", failing: ["adds"] };
  expect(ran).toMatchObject([failed, failed, failed]);
});

test("a test that was red at the base is listed once, and leads to no bug", async () => {
  await using session = replaySession({
    files: {
      ...FILES,
      "test/old.test.mjs": 'test("old and red", () => { throw new Error("red"); });\n',
    },
    config: CONFIG,
    turns: [
      ...oneTask("Add a greeting", put("hello.txt", "hello\n")),
      on({ purpose: "test", prompt: "\n- old and red\n" }, { print: needsWork(BUG) }),
      // Is played if the prompt does not name the test.
      on({ purpose: "test" }, { exit: 9 }),
    ],
  });
  expect(await session.wisp("start", "request.md", "--accept-red-base")).toMatchObject({ code: 0 });
  const { history, broken } = checkSession(session.home());
  expect(broken).toBeUndefined();
  expect(history.tester.fold.items.size).toBe(0);
  expect(session.read("logs/tester.log")).toContain("it was red before the session began");
  expect(session.read("PROGRESS.txt").match(/^\[Baseline\] /gm)).toHaveLength(1);
  expect(session.read("PROGRESS.txt")).toContain("- old and red\n");
  expect((await session.wisp("status")).stdout).toContain(
    "1 test red before the work began, not blamed on any milestone: old and red",
  );
});
