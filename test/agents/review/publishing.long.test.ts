import { appendFileSync, readFileSync, writeFileSync } from "node:fs";
import { expect, test } from "vitest";
import type { TurnOutcome, TurnRequest } from "../../../src/engines/engine.ts";
import { HumanRecord } from "../../../src/fs-protocol/records/human-log.ts";
import { roleLog } from "../../../src/fs-protocol/home/home.ts";
import { encodeRecord } from "../../../src/fs-protocol/codec/record-codec.ts";
import { put } from "../../rig/in-process-session.ts";
import { buildEnds, DONE, found, PASSED, plannedSession, tick, verifyBy } from "./rig.ts";
import { lastEndOf } from "../../../src/session/state/stage.ts";

const PLAN = "## Milestone: One\n\n- [ ] Say hello\n";
const ROLES = ["planner", "builder", "reviewer", "tester"] as const;
const ENDED = ROLES.map(() => ({ kind: "ended", reason: "done" }));

function build(request: TurnRequest): TurnOutcome {
  put(request.cwd, "hello.txt", "hullo\n");
  tick(request, "Say hello");
  return DONE;
}

test("a fix is rebased and verified again when somebody publishes during its verify, without a new turn", async () => {
  const code =
    "if (fs.existsSync('fixed.txt') && !fs.existsSync(mark('once'))) { fs.writeFileSync(mark('once'), '');" +
    "const blob = git('hash-object', '-w', 'README.md');" +
    "const tree = require('child_process').execFileSync('git', ['mktree'], { cwd: mark('repository'), encoding: 'utf8', input: git('ls-tree', 'wisp/demo') + '\\n100644 blob ' + blob + '\\tforeign.txt\\n' }).trim();" +
    "git('update-ref', 'refs/heads/wisp/demo', git('commit-tree', tree, '-p', 'wisp/demo', '-m', 'Foreign')); }";
  using session = plannedSession(PLAN, { verify: verifyBy(code) });
  const script = (request: TurnRequest): TurnOutcome => {
    if (request.purpose === "build") return build(request);
    if (request.purpose === "review-milestone") return found("Correctness", "hello.txt");
    if (request.purpose === "fix") put(request.cwd, "fixed.txt", "fixed\n");
    return PASSED;
  };
  const ends = await Promise.all(ROLES.map((role) => session.start(role, script).ended));
  expect(ends).toEqual(ENDED);
  expect(session.turns.filter(({ purpose }) => purpose === "fix")).toHaveLength(1);
  const subjects = session.at.git("log", "--reverse", "--format=%s", "main..wisp/demo");
  expect(subjects.split("\n").slice(1)).toMatchObject([
    "Foreign",
    expect.stringMatching(/^fix\(review\)/),
  ]);
});

test("a stop takes effect while wisp waits for a branch that a person has checked out", async () => {
  using session = plannedSession(PLAN);
  session.at.git("checkout", "-q", "wisp/demo");
  const builder = session.start("builder", build);
  await session.until("the wait", () =>
    session.records("builder").some(({ kind }) => kind === "unit.wait"),
  );
  const time = "2026-11-20T12:00:00.000Z";
  appendFileSync(session.at.home.humanLog, encodeRecord(HumanRecord, { kind: "stop", time }));
  expect(await builder.ended).toMatchObject({ kind: "ended", reason: "stopped" });
  session.at.git("checkout", "-q", "main");
  appendFileSync(session.at.home.humanLog, encodeRecord(HumanRecord, { kind: "resume", time }));
  const again = session.start("builder", build);
  await session.until("the milestone", () => buildEnds(session).length > 0);
  again.stop();
  await again.ended;
  expect(session.turns).toHaveLength(1);
});

test("a unit whose tests always conflict with the branch ends without commits, and does not give up", async () => {
  const plan = `${PLAN}\n## Milestone: Two\n\n- [ ] Say thanks\n`;
  using session = plannedSession(plan, {
    policy: { drainMs: { planner: 60_000, reviewer: 60_000, tester: 1 } },
  });
  const script = async (request: TurnRequest): Promise<TurnOutcome> => {
    const { purpose, milestone = "", cwd } = request;
    if (purpose === "build") {
      put(cwd, "test/all.txt", `built ${milestone}\n`);
      tick(request, "Say hello", "Say thanks");
      if (milestone === "One") untick(request, "Say thanks");
    }
    if (purpose === "test" && milestone === "One") {
      await session.until("Two", () => buildEnds(session).length > 1);
      put(cwd, "test/all.txt", "tested\n");
    }
    return purpose === "build" ? DONE : PASSED;
  };
  const ends = await Promise.all(ROLES.map((role) => session.start(role, script).ended));
  expect(ends).toEqual(ENDED);
  const [first] = session.records("tester").filter((record) => record.kind === "test.end");
  expect(first).toMatchObject({ m: "One", outcome: "tested", commits: [] });
  const turns = session.turns.filter(
    ({ purpose, milestone }) => purpose === "test" && milestone === "One",
  );
  expect(turns).toHaveLength(2);
  expect(lastEndOf((await session.at.state()).builder)?.how).toBe("complete");
});

function untick(request: TurnRequest, task: string): void {
  const path = request.tasksFile ?? "";
  writeFileSync(path, readFileSync(path, "utf8").replace(`- [x] ${task}`, `- [ ] ${task}`));
}

test("a role that starts after the session's end completes its projections", async () => {
  using session = plannedSession(PLAN);
  const script = (request: TurnRequest) => (request.purpose === "build" ? build(request) : PASSED);
  const ends = await Promise.all(ROLES.map((role) => session.start(role, script).ended));
  expect(ends).toEqual(ENDED);
  const { builderDone, reviewerCheckpoint } = session.at.home;
  const whole = [builderDone, reviewerCheckpoint].map((path) => readFileSync(path, "utf8"));
  // As if both had been killed between their last record and its projection.
  for (const path of [builderDone, reviewerCheckpoint]) {
    const lines = readFileSync(path, "utf8").split("\n").slice(0, -2);
    writeFileSync(path, lines.map((line) => `${line}\n`).join(""));
  }
  const logs = ROLES.map((role) => readFileSync(roleLog(session.at.home, role), "utf8"));
  await Promise.all(ROLES.map((role) => session.start(role, script).ended));
  expect([builderDone, reviewerCheckpoint].map((path) => readFileSync(path, "utf8"))).toEqual(
    whole,
  );
  // The logs themselves are closed (R19).
  expect(ROLES.map((role) => readFileSync(roleLog(session.at.home, role), "utf8"))).toEqual(logs);
});
