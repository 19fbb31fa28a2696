import { describe, expect, test } from "vitest";
import { checkSession } from "../rig/check-session.ts";
import { homeIssues } from "../rig/home-issues.ts";
import { processSession } from "../rig/process-session.ts";
import { SESSION_SANDBOXES } from "../rig/session-sandboxes.ts";

/*
 * A project in which a test is red before the work begins, and another one has the same title. Its files print what
 * the runner that is named prints.
 */

const NODE_TEST = (of: string) => `
const { test } = require("node:test");
const assert = require("node:assert");
test("empty input", () => assert.equal(require("../lib.cjs").${of}, 1));
`;

/** In the form of mocha. */
const MOCHA = `
const lib = require("./lib.cjs");
const failed = ["parse", "print"].filter((each) => lib[each] !== 1);
console.log("\\n  " + (2 - failed.length) + " passing (4ms)\\n  " + failed.length + " failing\\n");
failed.forEach((each, at) => console.log("  " + (at + 1) + ") " + each + "\\n       empty input:\\n     Error: no\\n"));
process.exit(failed.length);
`;

/** The first attempt breaks the test that was green. */
const SCENARIO = String.raw`
  plan: (t) => t.plan("## Milestone: One\n\n- [ ] Say hello\n"),
  build(t) {
    t.put("lib.cjs", "module.exports = { parse: 0, print: " + (t.attempt === 1 ? 0 : 1) + " };\n");
    t.put("word", "hello " + t.attempt);
    t.commit("Say hello, attempt " + t.attempt);
    t.tick();
  },`;

const LIB = { "lib.cjs": "module.exports = { parse: 0, print: 1 };\n" };

/** In the form of tape: its lines name the assertion, the title is above them. */
const TAPE = `
const lib = require("./lib.cjs");
console.log("TAP version 13");
["parse", "print"].forEach((each, at) => {
  const block = "  ---\\n    operator: equal\\n    expected: 1\\n    at: Test.<anonymous> (" + __filename + ":3:1)\\n  ...";
  const line = "ok " + (at + 1) + " should be strictly equal";
  console.log("# " + each + "\\n" + (lib[each] === 1 ? line : "not " + line + "\\n" + block));
});
const failed = ["parse", "print"].filter((each) => lib[each] !== 1).length;
console.log("\\n1..2\\n# tests 2\\n# pass  " + (2 - failed) + "\\n# fail  " + failed);
process.exit(failed);
`;

/** One that is left to do, with a reason, and takes another time in each run. */
const TODO = `
const { test } = require("node:test");
test("two waits", { todo: "issue 12" }, async () => {
  await new Promise((resolve) => setTimeout(resolve, Math.random() * 50));
  throw new Error("not yet");
});
`;

const CASES = [
  {
    runner: "node --test",
    files: { ...LIB, "test/a.test.cjs": NODE_TEST("parse"), "test/b.test.cjs": NODE_TEST("print") },
    verify: ["node", "--test", "test/a.test.cjs", "test/b.test.cjs"],
    red: "test/a.test.cjs > empty input",
  },
  {
    runner: "mocha",
    files: { ...LIB, "all.cjs": MOCHA },
    verify: ["node", "all.cjs"],
    red: "parse > empty input",
  },
  {
    runner: "node --test, a file that does not load",
    files: { ...LIB, "test/a.test.cjs": `require("gone");`, "test/b.test.cjs": NODE_TEST("print") },
    verify: ["node", "--test", "test/a.test.cjs", "test/b.test.cjs"],
    red: "test/a.test.cjs",
  },
  {
    runner: "tape",
    files: { ...LIB, "all.cjs": TAPE },
    verify: ["node", "all.cjs"],
    red: "all.cjs > parse > should be strictly equal",
  },
  {
    runner: "node --test, with a test left to do",
    files: {
      ...{ ...LIB, "test/c.test.cjs": TODO },
      ...{ "test/a.test.cjs": NODE_TEST("parse"), "test/b.test.cjs": NODE_TEST("print") },
    },
    verify: ["node", "--test", "--test-reporter=spec", "test/"],
    red: "test/a.test.cjs > empty input",
  },
];

describe.each(SESSION_SANDBOXES)("$where", ({ sandbox, isThere }) => {
  test.runIf(isThere).each(CASES)(
    "$runner: a milestone that breaks the namesake of a red test is refused, and people see the name without wisp's folders",
    async ({ files, verify, red }) => {
      await using session = processSession({ scenario: SCENARIO, files, sandbox });
      const settings = session.git("show", "HEAD:.wisp/config.yaml");
      session.write(".wisp/config.yaml", `${settings}\nverify: ${JSON.stringify(verify)}\n`);
      session.git("commit", "-qam", "Verify");
      expect(await session.wisp("start", "request.md", "--accept-red-base")).toMatchObject({
        code: 0,
      });
      const log = session.read("logs/builder.log");
      expect(log.match(/ outcome=unverified /gu)).toHaveLength(1);
      expect(session.read("logs/tester.log")).toContain("verify=asbase");
      const { stdout: status } = await session.wisp("status");
      expect(status).toContain(`not blamed on any milestone: ${red}\n`);
      const { stdout: shipped } = await session.wisp("done", "--dry-run");
      expect(shipped).toContain(red);
      for (const text of [status, shipped]) expect(text).not.toMatch(/\/tree\/|\d m?s\)/u);
      expect(session.read("PROGRESS.txt")).toContain(`- ${red}\n`);
      expect(await homeIssues(session.home())).toEqual([]);
      expect(checkSession(session.home()).broken).toBeUndefined();
    },
  );
});
