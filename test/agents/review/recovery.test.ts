import { rmSync, writeFileSync } from "node:fs";
import { expect, test } from "vitest";
import type { TurnOutcome, TurnRequest } from "../../../src/engines/engine.ts";
import { commit, put } from "../../rig/in-process-session.ts";
import {
  beside,
  buildEnds,
  buildUntil,
  DONE,
  found,
  PASSED,
  plannedSession,
  tick,
  verifyBy,
  type PlannedSession,
} from "./rig.ts";
import { lastEndOf } from "../../../src/session/state/stage.ts";

const PLAN = "## Milestone: One\n\n- [ ] Say hello\n";
const HANGS = verifyBy(
  "if (fs.existsSync('hello.txt') && fs.existsSync(mark('hang'))) { fs.writeFileSync(mark('hanging'), ''); setInterval(() => {}, 1000); }",
);

function sayHello(request: TurnRequest): TurnOutcome {
  put(request.cwd, "hello.txt", "hello\n");
  commit(request.cwd, "Say hello");
  tick(request, "Say hello");
  return DONE;
}

function exists(session: PlannedSession, name: string): boolean {
  try {
    rmSync(beside(session, name));
    return true;
  } catch {
    return false;
  }
}

test("a unit whose commits are already on the branch ends without a new turn, however often its recovery is interrupted", async () => {
  using session = plannedSession(PLAN, { verify: HANGS });
  writeFileSync(beside(session, "hang"), "");
  for (let time = 0; time < 3; time++) {
    await buildUntil(session, sayHello, "a verify that hangs", () => exists(session, "hanging"));
  }
  rmSync(beside(session, "hang"));
  await buildUntil(session, sayHello, "the milestone", () => buildEnds(session).length > 0);
  expect(session.turns.map(({ purpose }) => purpose)).toEqual(["build"]);
  expect(buildEnds(session)).toMatchObject([{ outcome: "milestone", unit: "build:One:1" }]);
  expect(session.at.git("log", "--format=%s", "main..wisp/demo")).toBe("Say hello");
});

test("a turn that ended just before the process was asked to stop is not run again", async () => {
  using session = plannedSession(PLAN);
  const stopping = session.start("builder", (request) => {
    const outcome = sayHello(request);
    stopping.stop();
    return outcome;
  });
  expect(await stopping.ended).toMatchObject({ reason: "interrupted" });
  if (buildEnds(session).length === 0) {
    await buildUntil(session, sayHello, "the milestone", () => buildEnds(session).length > 0);
  }
  expect(session.turns).toHaveLength(1);
  expect(session.at.git("log", "--format=%s", "main..wisp/demo")).toBe("Say hello");
  expect(session.at.git("for-each-ref", "refs/wisp/rescue")).toBe("");
});

test("a turn that fails because the process was asked to stop does not count as an attempt", async () => {
  using session = plannedSession(PLAN);
  const stopping = session.start("builder", () => {
    stopping.stop();
    return { kind: "failed", reason: "was killed by SIGTERM" };
  });
  expect(await stopping.ended).toMatchObject({ reason: "interrupted" });
  expect(buildEnds(session)).toEqual([]);
});

test("a fix whose verify is interrupted is published after the restart, without a new turn", async () => {
  const code =
    "if (fs.existsSync('fixed.txt') && fs.existsSync(mark('hang'))) { fs.writeFileSync(mark('hanging'), ''); setInterval(() => {}, 1000); }";
  using session = plannedSession(PLAN, { verify: verifyBy(code) });
  const script = (request: TurnRequest): TurnOutcome => {
    if (request.purpose === "build") return sayHello(request);
    if (request.purpose === "review-milestone") return found("Correctness", "hello.txt");
    if (request.purpose === "fix") put(request.cwd, "fixed.txt", "fixed\n");
    return PASSED;
  };
  writeFileSync(beside(session, "hang"), "");
  const others = (["planner", "reviewer", "tester"] as const).map((role) =>
    session.start(role, script),
  );
  await buildUntil(session, script, "a verify that hangs", () => exists(session, "hanging"));
  rmSync(beside(session, "hang"));
  const builder = session.start("builder", script);
  const ends = await Promise.all([builder, ...others].map(({ ended }) => ended));
  expect(ends.map((end) => end.kind)).toEqual(["ended", "ended", "ended", "ended"]);
  expect(session.turns.filter(({ purpose }) => purpose === "fix")).toHaveLength(1);
  expect(lastEndOf((await session.at.state()).builder)?.how).toBe("complete");
  expect(session.at.git("show", "wisp/demo:fixed.txt")).toBe("fixed");
});
