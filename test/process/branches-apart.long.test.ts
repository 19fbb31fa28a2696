import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { checkSession } from "../rig/check-session.ts";
import { processSession } from "../rig/process-session.ts";
import { ONE_TASK } from "./scenarios.ts";

test("a branch named wisp is said to be in the way of a session's, and what helps", async () => {
  await using session = processSession({ scenario: ONE_TASK });
  session.git("branch", "wisp");
  for (const dryRun of [[], ["--dry-run"]]) {
    const refused = await session.wisp("start", "request.md", "--no-up", ...dryRun);
    expect(refused).toMatchObject({ code: 2 });
    expect(refused.stderr).toContain(
      "git cannot keep a branch 'wisp/a-request' beside the branch 'wisp'",
    );
    expect(refused.stderr).not.toContain("omit --branch");
  }
  expect(session.git("branch", "--format=%(refname:short)")).toBe("main\nwisp");
  // Both commands that it names help.
  const named = await session.wisp(
    "start",
    "request.md",
    "--no-up",
    "--branch",
    "feature/a-request",
  );
  expect(named).toMatchObject({ code: 0 });
  session.git("branch", "-m", "wisp", "other");
  expect(await session.wisp("start", "request.md", "--no-up", "--again")).toMatchObject({
    code: 0,
  });
  expect(session.git("branch", "--list", "wisp/*")).not.toBe("");
});

/** An agent that works on a branch of its own, and goes back; then it does as it is told. */
const OWN_BRANCH = String.raw`
  plan: (t) => t.plan("## Milestone: One\n\n- [ ] Say hello\n"),
  build(t) {
    t.put(process.env.HOME + "/../prompt-" + t.attempt, t.prompt);
    const told = /git merge ([^\s\x60)]+)/.exec(t.prompt);
    if (told === null) {
      const own = t.git("symbolic-ref", "--short", "HEAD");
      t.git("checkout", "-q", "-b", "feature/mine");
      t.put("hello.txt", "hello\n");
      t.commit("Say hello");
      t.git("checkout", "-q", own);
    } else {
      t.git("merge", "-q", told[1]);
    }
    t.tick();
  },
`;

test("the attempt after one that committed on a branch of its own is told where those commits are", async () => {
  await using session = processSession({ scenario: OWN_BRANCH });
  expect(await session.wisp("start", "request.md")).toMatchObject({ code: 0 });
  const prompt = readFileSync(join(session.root, "prompt-2"), "utf8");
  expect(prompt).toContain(
    "The branch feature/mine of this clone has commits that wisp/a-request lacks",
  );
  expect(session.git("show", "wisp/a-request:hello.txt")).toBe("hello");
  checkSession(session.home());
});

/** The same in a fix. */
const OWN_FIX = String.raw`
  plan: (t) => t.plan("## Milestone: One\n\n- [ ] Say hello\n"),
  build(t) {
    t.put("hello.txt", "hullo\n");
    t.commit("Say hello");
    t.tick();
  },
  "review-milestone"(t) {
    if (t.read("hello.txt") === "hullo\n") t.needsWork("Correctness", "hello.txt", "It says hullo");
    else t.passed();
  },
  fix(t) {
    t.put(process.env.HOME + "/../prompt-" + t.attempt, t.prompt);
    const told = /git merge ([^\s\x60)]+)/.exec(t.prompt);
    if (told !== null) return void t.git("merge", "-q", told[1]);
    const own = t.git("symbolic-ref", "--short", "HEAD");
    t.git("checkout", "-q", "-b", "feature/fix");
    t.put("hello.txt", "hello\n");
    t.commit("Say hello");
    t.git("checkout", "-q", own);
  },
`;

test("so is the attempt at a fix after one that fixed it on a branch of its own", async () => {
  await using session = processSession({ scenario: OWN_FIX });
  expect(await session.wisp("start", "request.md")).toMatchObject({ code: 0 });
  expect(readFileSync(join(session.root, "prompt-2"), "utf8")).toContain("git merge feature/fix");
  expect(session.git("show", "wisp/a-request:hello.txt")).toBe("hello");
  checkSession(session.home());
});
