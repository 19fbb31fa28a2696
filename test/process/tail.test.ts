import { expect, test } from "vitest";
import { processSession } from "../rig/process-session.ts";

const TIMEOUT_MS = 180_000;
const CASSETTE = `version: 1
turns: []
defaults:
  plan:
    - print: "\\e[31mplanning\\e[0m"
    - plan: |
        ## Milestone: Hello

        - [ ] Say hello
  build: [print: "building\\n  now", write: { path: hello.txt, content: "hello\\n" }, commit: Say hello, tick: 1]
  review-commit: [print: "### Verdict: PASSED"]
  review-milestone: [print: "### Verdict: PASSED"]
  test: [print: "### Verdict: PASSED"]
  final-test: [print: "### Verdict: PASSED"]
`;

test(
  "tail shows the turns of a role as they come, until nobody works any more",
  async () => {
    await using session = processSession({
      engine: "replay",
      config: "verify: false\n",
      files: { ".wisp/cassette.yaml": CASSETTE },
    });
    await session.wisp("start", "request.md", "--no-up");
    const none = await session.wisp("tail", "builder");
    expect(none).toMatchObject({
      code: 0,
      stdout: "",
      stderr: "The builder has had no turn yet.\n",
    });
    const running = session.wisp("up");
    await session.until("a supervisor", () => session.read("logs/supervisor.log") !== "");
    const { stdout: said, code } = await session.wisp("tail", "--follow");
    expect(code).toBe(0);
    expect(await running).toMatchObject({ code: 0 });
    expect(said).toMatch(/^── planner: the plan · replay · .*\nplanning\n── ended/mu);
    expect(said).toMatch(
      /^── builder: building "Hello" · replay · .*\nbuilding\n {2}now\n── ended/mu,
    );
    expect(said).toContain("── tester: the final pass 1");
    const again = await session.wisp("tail", "builder");
    expect(said).toContain(again.stdout);
    const raw = await session.wisp("tail", "planner", "--raw");
    expect(raw.stdout).toBe("\u001b[31mplanning\u001b[0m\n");
    const id = session.git("for-each-ref", "--format=%(refname:lstrip=3)", "refs/heads/wisp");
    expect((await session.wisp("tail", id, "builder")).stdout).toBe(again.stdout);
    expect(await session.wisp("tail", "one", "two")).toMatchObject({ code: 2 });
  },
  TIMEOUT_MS,
);
