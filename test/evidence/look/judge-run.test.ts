import { expect, test } from "vitest";
import { judgeRun, type SuiteRun } from "../../../src/evidence/look/judge-run.ts";
import type { FailedCommand } from "../../../src/work/run-in-order.ts";

const BEFORE = { tookMs: 40_000, ran: 12 };
const TIMEOUT_MS = 600_000;

function ran(end: SuiteRun["end"], more: Partial<SuiteRun> = {}): SuiteRun {
  return { end, isDiskFull: false, ran: 12, timeoutMs: TIMEOUT_MS, ...more };
}

function failed(ended: FailedCommand, more: Partial<SuiteRun> = {}): SuiteRun {
  return ran(
    { kind: "failed", reason: "npm test failed", tail: "", command: ["npm", "test"], ended },
    more,
  );
}

function unready(stage: "tree" | "setup" | "tests" | "build"): SuiteRun {
  return ran({ kind: "unready", stage, reason: "no tree", output: undefined });
}

const exited = (exitCode: number) => failed({ kind: "exited", exitCode });
const killed = (signalName: string) => failed({ kind: "killed", signalName });

test.each([
  ["exits with 0", ran({ kind: "passed" }), "green"],
  ["exits with 1", exited(1), "red"],
  ["exits with 5 (pytest: no tests)", exited(5), "red"],
  ["exits with 126 (not executable)", exited(126), "not-started"],
  ["exits with 127 (not found)", exited(127), "not-started"],
  ["cannot be started", failed({ kind: "not-started" }), "not-started"],
  ["is killed", killed("SIGKILL"), "signal"],
  ["is asked to end by somebody else", killed("SIGTERM"), "signal"],
  ["crashes by a bad access", killed("SIGSEGV"), "red"],
  ["aborts", killed("SIGABRT"), "red"],
  ["divides by zero", killed("SIGFPE"), "red"],
  [
    "fails on a full disk",
    failed({ kind: "exited", exitCode: 1 }, { isDiskFull: true }),
    "disk-full",
  ],
  ["passes on a full disk", ran({ kind: "passed" }, { isDiskFull: true }), "green"],
  ["has no tree", unready("tree"), "tree"],
  ["has no setup", unready("setup"), "setup"],
  ["does not build", unready("build"), "red"],
  ["runs no test, where some ran before", ran({ kind: "passed" }, { ran: 0 }), "red"],
  ["does not say how many tests ran", ran({ kind: "passed" }, { ran: undefined }), "green"],
])("a suite that %s", (_, run, shown) => {
  const verdict = judgeRun(run, BEFORE);
  expect(verdict.kind === "unknown" ? verdict.cause : verdict.kind).toBe(shown);
});

test.each([
  ["took 40 s of the 10 minutes before", BEFORE, "red"],
  ["took 5 minutes before", { tookMs: 300_000, ran: 12 }, "unknown"],
  ["never ran before", undefined, "unknown"],
  ["ran before in a session that recorded no times", { tookMs: undefined, ran: undefined }, "red"],
] as const)("the time limit, for a suite that %s", (_, before, kind) => {
  const verdict = judgeRun(failed({ kind: "timed-out" }), before);
  expect(verdict.kind).toBe(kind);
  if (before === BEFORE)
    expect(verdict).toHaveProperty("reason", "npm test failed; it took 40 s before");
});

test("a suite without tests from the start verifies nothing", () => {
  for (const end of [{ kind: "passed" } as const, exited(5).end]) {
    const without = ran(end, { ran: 0, isForNoTests: end.kind === "failed" });
    expect(judgeRun(without, { tookMs: 1, ran: 0 }).kind).toBe("none");
    expect(judgeRun(without, undefined).kind).toBe("none");
    expect(judgeRun(without, { tookMs: 1, ran: 3 }).kind).toBe("red");
  }
});

test("whatever the runner says, a suite without tests is red if tests may have run before, and it failed", () => {
  const without = failed({ kind: "exited", exitCode: 5 }, { ran: 0, isForNoTests: true });
  expect(judgeRun(without, { tookMs: 1, ran: undefined }).kind).toBe("red");
  expect(judgeRun({ ...without, isDiskFull: true }, undefined).kind).toBe("unknown");
  expect(judgeRun({ ...without, isForNoTests: false }, undefined).kind).toBe("red");
});
