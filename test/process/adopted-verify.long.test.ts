import { expect, test } from "vitest";
import { checkSession } from "../rig/check-session.ts";
import { homeIssues } from "../rig/home-issues.ts";
import { processSession, type ProcessSession } from "../rig/process-session.ts";
import { ofKind } from "../rig/read-log.ts";

/*
 * A repository without tests, whose first milestone brings them: from that milestone on the session is verified.
 */

/** The first attempt at each milestone is what a test says that is wrong. */
const SCENARIO = String.raw`
  plan: (t) => t.plan("## Milestone: One\n\n- [ ] Begin\n\n## Milestone: Two\n\n- [ ] Go on\n"),
  build(t) {
    const value = t.attempt === 1 ? "wrong" : "right";
    t.put("package.json", JSON.stringify({ name: "a", version: "1.0.0", scripts: { test: "node --test" } }));
    t.put(t.milestone + ".js", "module.exports = '" + value + "';\n");
    t.put(
      t.milestone + ".test.js",
      "require('node:test')('" + t.milestone + " is right', () => require('node:assert').equal(require('./" +
        t.milestone + ".js'), 'right'));\n",
    );
    t.commit("Work at " + t.milestone + ", attempt " + t.attempt);
    t.tick();
  },`;

async function ended(session: ProcessSession) {
  const { code, stdout, stderr } = await session.wisp("start", "request.md");
  const { history, broken } = checkSession(session.home());
  expect(broken).toBeUndefined();
  expect(await homeIssues(session.home())).toEqual([]);
  return {
    code,
    output: stdout + stderr,
    builder: history.builder.records,
    tester: history.tester.records,
  };
}

test("the first milestone that brings npm test is judged by it, and so is everything after it", async () => {
  await using session = processSession({ scenario: SCENARIO });
  const { code, output, builder, tester } = await ended(session);
  expect(code).toBe(0);
  const adopted = ofKind(builder, "verify.adopt");
  expect(adopted).toMatchObject([{ m: "One", from: "package.json", verify: [["npm", "test"]] }]);
  const builds = ofKind(builder, "build.end").map(({ m, outcome }) => [m, outcome]);
  expect(builds).toEqual([
    ["One", "unverified"],
    ["One", "milestone"],
    ["Two", "unverified"],
    ["Two", "milestone"],
  ]);
  const looked = ofKind(builder, "verify.result").map(({ outcome, failing }) => [outcome, failing]);
  expect(looked).toEqual([
    ["failed", ["One.test.js > One is right"]],
    ["passed", undefined],
    ["failed", ["Two.test.js > Two is right"]],
    ["passed", undefined],
  ]);
  expect(ofKind(tester, "final.end")).toMatchObject([{ verify: "passed" }]);
  expect(JSON.parse(session.read("session.json"))).toMatchObject({ verify: [] });
  const status = await session.wisp("status");
  expect(status.stdout).not.toMatch(/nothing was verified|no verify command/u);
  expect(output).toContain("adopts npm test from package.json as verify");
});

test("a session whose settings say that nothing verifies it adopts nothing", async () => {
  await using session = processSession({ scenario: SCENARIO, config: "verify: false\n" });
  const { code, builder } = await ended(session);
  expect(code).toBe(0);
  expect(ofKind(builder, "verify.adopt")).toEqual([]);
  expect((await session.wisp("status")).stdout).toContain("nothing was verified");
});
