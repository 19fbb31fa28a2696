import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { WispRig } from "./wisp-rig.ts";

let rig: WispRig;
beforeAll(async () => {
  rig = await WispRig.create();
});
afterAll(() => rig[Symbol.asyncDispose]());

/** The planner prints something, and continues when the test tells it to. */
const CASSETTE = `version: 1
turns: []
defaults:
  plan:
    - print: "\\e[31mplanning\\e[0m"
    - run: { argv: [sh, -c, 'until [ -e "$WISP_HOME/go" ]; do sleep 0.05; done'] }
    - plan: |
        ## Milestone: Hello

        - [ ] Say hello
  build: [print: "building\\n  now", write: { path: hello.txt, content: "hello\\n" }, commit: Say hello, tick: 1]
  review-commit: [print: "### Verdict: PASSED"]
  review-milestone: [print: "### Verdict: PASSED"]
  test: [print: "### Verdict: PASSED"]
  final-test: [print: "### Verdict: PASSED"]
`;

test("tail shows the turns of a role as they happen, until no role is running", async () => {
  const cwd = await rig.repository("followed", {
    ".wisp/config.yaml": "engine: replay\nverify: false\n",
    ".wisp/cassette.yaml": CASSETTE,
    "request.md": "# Say hello\n",
  });
  await rig.run(["start", "request.md", "--no-up"], { cwd });
  const none = await rig.run(["tail", "builder"], { cwd });
  expect(none).toEqual({ code: 0, stdout: "", stderr: "The builder has not had a turn yet.\n" });
  await rig.run(["up", "--detach"], { cwd });
  const follower = rig.start(["tail", "--follow"], { cwd });
  await follower.says("planning");
  await writeFile(join(cwd, ".wisp/current/go"), "");
  const { stdout: said, code } = await follower.ended;
  expect(code).toBe(0);
  expect(said).toMatch(/^── planner: the plan · replay · .*\nplanning\n── ended/mu);
  expect(said).toMatch(
    /^── builder: building "Hello" · replay · .*\nbuilding\n {2}now\n── ended/mu,
  );
  expect(said).toContain("── tester: the final pass 1");
  const again = await rig.run(["tail", "builder"], { cwd });
  expect(said).toContain(again.stdout);
  const raw = await rig.run(["tail", "planner", "--raw"], { cwd });
  expect(raw.stdout).toBe("\u001b[31mplanning\u001b[0m\n");
  expect((await rig.run(["tail", "say-hello", "builder"], { cwd })).stdout).toBe(again.stdout);
  expect(await rig.run(["tail", "one", "two"], { cwd })).toMatchObject({ code: 2 });
});
