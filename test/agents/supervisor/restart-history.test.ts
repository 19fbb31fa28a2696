import { expect, test } from "vitest";
import {
  afterEnd,
  causeOfEnd,
  FRESH,
  isCrashLoop,
  type ProcessEnd,
} from "../../../src/agents/supervisor/restart-history.ts";
import type { SessionFacts } from "../../../src/agents/supervisor/session-facts.ts";
import { DEFAULT_TIMING } from "../../../src/agents/supervisor/timing.ts";

const RUNNING: SessionFacts = {
  over: undefined,
  isRewritten: false,
  damage: undefined,
  asks: undefined,
  failed: new Map(),
  restarts: new Map(),
  hasWork: () => true,
};

function exited(code: number, more: Partial<ProcessEnd> = {}): ProcessEnd {
  return { how: { kind: "exited", code }, atMs: 1000, ranMs: 10, wasAsked: false, ...more };
}

test.each([0, 1, 2, 6, 137])("exit code %i while there is work left is a crash", (code) => {
  expect(causeOfEnd(exited(code), RUNNING, false)).toBe("crash");
});

test("a refusal because another process has the lease is no crash, but has its backoff", () => {
  const cause = causeOfEnd(exited(6), RUNNING, true);
  expect(cause).toBe("lease-held");
  const history = afterEnd(FRESH, exited(6), cause, DEFAULT_TIMING);
  expect(history).toMatchObject({ crashesMs: [], shortRuns: 1, notBeforeMs: 1500 });
});

test.each(["complete", "stuck", "stopped"] as const)(
  "no exit code is a crash when the session is %s",
  (over) => {
    const session = { ...RUNNING, over };
    expect([0, 1, 5, 6, 137].map((code) => causeOfEnd(exited(code), session, false))).toEqual(
      Array.from({ length: 5 }, () => "over"),
    );
  },
);

test("the end of a process that was asked to end is no crash", () => {
  expect(causeOfEnd(exited(143, { wasAsked: true }), RUNNING, false)).toBe("asked");
});

test("a lease that is released on a rewritten branch is explained by the branch", () => {
  const session = { ...RUNNING, isRewritten: true };
  expect(causeOfEnd({ ...exited(0), how: { kind: "left" } }, session, false)).toBe(
    "branch-rewritten",
  );
});

test("a program that cannot be started counts like one that crashes", () => {
  let history = FRESH;
  for (let n = 0; n < 5; n++) {
    const end: ProcessEnd = { ...exited(0), how: { kind: "not-started", errno: "ENOENT" } };
    history = afterEnd(history, end, causeOfEnd(end, RUNNING, false), DEFAULT_TIMING);
  }
  expect(isCrashLoop(history, DEFAULT_TIMING)).toBe(true);
});

test("five crashes in exactly the window are a loop; in one millisecond more they are not", () => {
  const crashAt = (timesMs: readonly number[]) =>
    timesMs.reduce(
      (history, atMs) => afterEnd(history, exited(1, { atMs }), "crash", DEFAULT_TIMING),
      FRESH,
    );
  expect(isCrashLoop(crashAt([0, 1, 2, 3, 60_000]), DEFAULT_TIMING)).toBe(true);
  expect(isCrashLoop(crashAt([0, 1, 2, 3, 60_001]), DEFAULT_TIMING)).toBe(false);
});
