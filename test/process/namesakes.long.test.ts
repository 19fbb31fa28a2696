import { expect, test } from "vitest";
import { checkSession } from "../rig/check-session.ts";
import { homeIssues } from "../rig/home-issues.ts";
import { processSession } from "../rig/process-session.ts";

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

test.each([
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
])(
  "$runner: a milestone that breaks the namesake of a red test is refused, and people see the name without wisp's folders",
  async ({ files, verify, red }) => {
    await using session = processSession({ scenario: SCENARIO, files });
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
    expect(status).not.toContain("/tree/");
    expect(session.read("PROGRESS.txt")).toContain(`- ${red}\n`);
    expect(await homeIssues(session.home())).toEqual([]);
    expect(checkSession(session.home()).broken).toBeUndefined();
  },
);
