import { expect, test } from "vitest";
import { baseQuestion, type RedBase } from "../../../src/agents/builder/base-question.ts";
import { clip } from "../../../src/work/clip.ts";

const RED: RedBase = {
  at: "3f9c1e0a7b52d84e6f01c2a9b8d7e6f5a4c3b2d1",
  anew: undefined,
  reason: "npm test exited with 1",
  output: ".wisp/sessions/a-request/logs/turns/2026-11-20T12-02-00-000Z-verify-3f9c1e0a7b52.out",
  isOfCommit: true,
  failing: [],
  missing: [],
  mentioned: ["DATABASE_URL", "REDIS_URL"],
};

test("the question names the failed command, variables that may be missing, the possible answers, and the path of the output", () => {
  expect(baseQuestion(RED)).toBe(
    "Verify is red before any work, and names no failing test: npm test exited with 1, at 3f9c1e0a7b52, in a tree " +
      "made from that commit alone. Your environment has DATABASE_URL, REDIS_URL: tracked files mention that, " +
      "commands do not see it. If it is missing, name it in `commands.env` of .wisp/config.yaml and answer " +
      '"again". If something else is missing, such as a service, start it, or change the commands in ' +
      '.wisp/config.yaml, and answer "again": verify is run once more. Or answer "accept": a ' +
      "verify that is red and names no test counts as no worse from then on. Its output: " +
      ".wisp/sessions/a-request/logs/turns/2026-11-20T12-02-00-000Z-verify-3f9c1e0a7b52.out",
  );
});

test("a session whose commands no answer replaces says that another one begins with those of the settings", () => {
  const said = baseQuestion({ ...RED, anew: "a-request" });
  expect(said).toContain("run `wisp abandon a-request`, and start a new session");
  expect(said).toContain('such as a service, start it and answer "again"');
});

test("the question says if verify could not run at all, and what accepting that means", () => {
  const said = baseQuestion({ ...RED, isOfCommit: false, mentioned: [], output: undefined });
  expect(said).toBe(
    "Verify could not be run before any work: npm test exited with 1, at 3f9c1e0a7b52, in a tree made from that " +
      "commit alone. If something is missing, such as a service, start it, or change the commands in " +
      '.wisp/config.yaml, and answer "again": verify is run once more. Or answer "accept": the work begins, nothing is verified, and the session cannot become complete.',
  );
});

test("long commands and many variables leave room for the advice", () => {
  const mentioned = Array.from({ length: 20 }, (_, at) => `${"A".repeat(37)}_${String(at)}`);
  const said = baseQuestion({
    ...RED,
    reason: "x".repeat(1_000),
    mentioned,
    anew: "s".repeat(60),
  });
  expect(said).toContain("and 14 more");
  expect(clip(said)).toContain('Or answer "accept"');
  const failing = Array.from({ length: 900 }, (_, at) => `${"t".repeat(300)}${String(at)}`);
  const named = baseQuestion({ ...RED, reason: "x".repeat(1_000), mentioned, failing });
  expect(named).toContain("900 tests fail: ");
  expect(named).toMatch(/, and 89\d more\. Your environment has/u);
  expect(clip(named)).toContain(
    'Or answer "accept": these tests may go on failing, and nothing else.',
  );
});

test("the question names the tests that fail, and what accepting them means", () => {
  const failing = ["test/a.test.js > adds", "test/b.test.js > removes"];
  const said = baseQuestion({ ...RED, mentioned: [], output: undefined, failing });
  expect(said).toBe(
    "Verify is red before any work, at 3f9c1e0a7b52, in a tree made from that commit alone: 2 tests fail: " +
      "test/a.test.js > adds, test/b.test.js > removes. If something is missing, such as a service, start it, or " +
      'change the commands in .wisp/config.yaml, and answer "again": verify is run once more. Or answer "accept": these tests may go on ' +
      "failing, and nothing else.",
  );
});

test("what is missing comes right after what fails, as far as there is room", () => {
  const missing = ["LFS content is missing: run `git lfs pull`.", "No lock file: run npm install."];
  const said = baseQuestion({ ...RED, mentioned: [], missing });
  expect(said).toContain(`from that commit alone. ${missing.join(" ")} If something is missing`);
  const long = Array.from({ length: 9 }, (_, at) => `${String(at)} ${"m".repeat(200)}.`);
  const cut = clip(baseQuestion({ ...RED, missing: long, failing: ["a", "b"] }));
  expect(cut).toContain("a, and 1 more. 0 mmm");
  expect(cut).not.toContain("9 mmm");
  expect(cut).toContain('Or answer "accept": these tests may go on failing, and nothing else.');
});
