import { execFileSync } from "node:child_process";
import { mkdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { TurnOutcome, TurnRequest } from "../../../src/engines/engine.ts";
import { commit, put } from "../../rig/in-process-session.ts";
import { buildEnds, buildUntil, DONE, found, PASSED, plannedSession, tick } from "./rig.ts";

const PLAN = "## Milestone: One\n\n- [ ] Say hello\n";

function git(cwd: string, ...args: readonly string[]): void {
  const env = { ...process.env, GIT_EDITOR: "true" };
  try {
    execFileSync("git", args, { cwd, env, stdio: "ignore" });
  } catch {
    // A rebase that stops for a conflict exits with 1: that is what is wanted of it.
  }
}

function leaveRebase(cwd: string): void {
  put(cwd, "hello.txt", "one\n");
  commit(cwd, "One way");
  git(cwd, "checkout", "-q", "-b", "aside", "HEAD~1");
  put(cwd, "hello.txt", "two\n");
  commit(cwd, "Another way");
  git(cwd, "rebase", "wisp/demo");
}

test("a turn that leaves an unfinished rebase is a counted attempt, and the builder continues", async () => {
  using session = plannedSession(PLAN);
  const end = await buildUntil(
    session,
    (request) => {
      if (request.attempt === 1) leaveRebase(request.cwd);
      else put(request.cwd, "hello.txt", "hello\n");
      tick(request, "Say hello");
      return DONE;
    },
    "a milestone",
    () => buildEnds(session).some(({ outcome }) => outcome === "milestone"),
  );
  expect(end).toMatchObject({ kind: "ended" });
  expect(session.turns.length).toBeLessThanOrEqual(2);
  const names = session.at.git("for-each-ref", "--format=%(refname)", "refs/wisp/rescue");
  expect(names).not.toBe("");
});

test("a turn that deletes .git is a counted attempt, and the next one has a clone again", async () => {
  using session = plannedSession(PLAN);
  const end = await buildUntil(
    session,
    (request) => {
      if (request.attempt === 1) rmSync(join(request.cwd, ".git"), { recursive: true });
      else put(request.cwd, "hello.txt", "hello\n");
      tick(request, "Say hello");
      return DONE;
    },
    "a milestone",
    () => buildEnds(session).some(({ outcome }) => outcome === "milestone"),
  );
  expect(end).toMatchObject({ kind: "ended" });
  expect(buildEnds(session).map(({ outcome }) => outcome)).toEqual(["noprogress", "milestone"]);
});

test("a turn that recreates .git is a counted attempt, and the next one has a clone again", async () => {
  using session = plannedSession(PLAN);
  const end = await buildUntil(
    session,
    (request) => {
      if (request.attempt === 1) {
        rmSync(join(request.cwd, ".git"), { recursive: true });
        git(request.cwd, "init", "-q", "-b", "mine");
        put(request.cwd, "hello.txt", "hello\n");
        git(request.cwd, "add", "-A");
        git(request.cwd, "-c", "user.name=a", "-c", "user.email=a@b", "commit", "-qm", "Mine");
      } else put(request.cwd, "hello.txt", "hello\n");
      tick(request, "Say hello");
      return DONE;
    },
    "a milestone",
    () => buildEnds(session).some(({ outcome }) => outcome === "milestone"),
  );
  expect(end).toMatchObject({ kind: "ended" });
  expect(session.turns.length).toBeLessThanOrEqual(2);
  expect(session.at.git("log", "--format=%s", "main..wisp/demo").split("\n")).toHaveLength(1);
});

test("commits on the branch count when the turn leaves HEAD detached before them", async () => {
  using session = plannedSession(PLAN);
  await buildUntil(
    session,
    (request) => {
      put(request.cwd, "hello.txt", "hello\n");
      commit(request.cwd, "Say hello");
      git(request.cwd, "checkout", "-q", "--detach", "HEAD~1");
      tick(request, "Say hello");
      return DONE;
    },
    "an end",
    () => buildEnds(session).length > 0,
  );
  expect(buildEnds(session)[0]?.outcome).toBe("milestone");
});

/** Runs the four roles to their end. */
async function finish(
  session: ReturnType<typeof plannedSession>,
  script: (request: TurnRequest) => TurnOutcome,
) {
  const roles = ["planner", "builder", "reviewer", "tester"] as const;
  return Promise.all(roles.map((role) => session.start(role, script).ended));
}

const ENDED = Array.from({ length: 4 }, () => ({ kind: "ended", reason: "done" }));

test("a fix turn that leaves an unfinished rebase is a failed attempt, and the next one may succeed", async () => {
  using session = plannedSession(PLAN);
  const ends = await finish(session, (request) => {
    const { purpose, cwd, attempt } = request;
    if (purpose === "build") {
      put(cwd, "hello.txt", "hullo\n");
      tick(request, "Say hello");
    }
    if (purpose === "review-milestone") return found("Correctness", "hello.txt");
    if (purpose === "fix" && attempt === 1) leaveRebase(cwd);
    if (purpose === "fix" && attempt === 2) put(cwd, "hello.txt", "hello\n");
    return PASSED;
  });
  expect(ends).toEqual(ENDED);
  const fixes = session.records("builder").filter((record) => record.kind === "fix.end");
  expect(fixes).toMatchObject([
    { attempt: 1, outcome: "failed" },
    { attempt: 2, outcome: "fixed" },
  ]);
});

test("a test turn that leaves an unfinished rebase is a failed attempt", async () => {
  using session = plannedSession(PLAN);
  const ends = await finish(session, (request) => {
    const { purpose, cwd, attempt } = request;
    if (purpose === "build") {
      put(cwd, "hello.txt", "hello\n");
      tick(request, "Say hello");
    }
    if (purpose === "test" && attempt === 1) leaveRebase(cwd);
    return PASSED;
  });
  expect(ends).toEqual(ENDED);
  const failed = session.records("tester").filter(({ kind }) => kind === "attempt.failed");
  expect(failed).toHaveLength(1);
});

test("a tester that moves a source file into the test folder is refused", async () => {
  using session = plannedSession(PLAN);
  const ends = await finish(session, (request) => {
    const { purpose, cwd } = request;
    if (purpose === "build") {
      put(cwd, "hello.txt", "hello\n".repeat(20));
      tick(request, "Say hello");
    }
    if (purpose === "test") {
      mkdirSync(join(cwd, "test"), { recursive: true });
      git(cwd, "mv", "hello.txt", "test/hello.txt");
    }
    return PASSED;
  });
  expect(ends).toEqual(ENDED);
  expect(session.at.git("ls-tree", "-r", "--name-only", "wisp/demo")).toContain("hello.txt");
  expect(session.at.git("ls-tree", "-r", "--name-only", "wisp/demo")).not.toContain("test/");
});

test("as many and as large findings as the limits allow are all recorded, cut to the length of a line", async () => {
  using session = plannedSession(PLAN);
  const long = '"\\'.repeat(990);
  const findings = Array.from({ length: 50 }, (_, index) =>
    [
      `${String(index + 1)}. **X-1**: Correctness - It is wrong ${String(index)}`,
      `   - Issue: ${long}`,
      `   - Suggestion: ${long}`,
      `   - Command: ${long}`,
      "   - Level: suggestion",
    ].join("\n"),
  );
  const text = ["### Verdict: NEEDS_WORK", "### Findings", ...findings, ""].join("\n\n");
  const ends = await finish(session, (request) => {
    if (request.purpose === "build") {
      put(request.cwd, "hello.txt", "hello\n");
      tick(request, "Say hello");
    }
    return request.purpose === "review-milestone" ? { ...DONE, text } : PASSED;
  });
  expect(ends).toEqual(ENDED);
  const reviews = session
    .records("reviewer")
    .filter((record) => record.kind === "review.end" && record.m === "One");
  expect(reviews).toHaveLength(1);
  expect(reviews[0]?.kind === "review.end" ? reviews[0].findings.length : 0).toBe(50);
});

test("a fix that changes very many files is recorded", async () => {
  using session = plannedSession(PLAN);
  const ends = await finish(session, (request) => {
    const { purpose, cwd } = request;
    if (purpose === "build") {
      put(cwd, "hello.txt", "hullo\n");
      tick(request, "Say hello");
    }
    if (purpose === "review-milestone") return found("Correctness", "hello.txt");
    if (purpose === "fix") {
      for (let index = 0; index < 7_000; index++) {
        put(cwd, `node_modules/${"a-long-name-of-a-package-".repeat(6)}${String(index)}.js`, "");
      }
    }
    return PASSED;
  });
  expect(ends).toEqual(ENDED);
  const fixes = session.records("builder").filter((record) => record.kind === "fix.end");
  expect(fixes).toMatchObject([{ attempt: 1, outcome: "fixed" }]);
});
