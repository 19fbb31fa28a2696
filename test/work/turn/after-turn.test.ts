import fc from "fast-check";
import { expect, test } from "vitest";
import { afterTurn } from "../../../src/work/turn/after-turn.ts";
import {
  TURN_RETRIES_MAX,
  TURN_RETRY_MS_MAX,
  TURN_RETRY_MS_MIN,
} from "../../../src/base/limits.ts";
import type { TurnOutcome } from "../../../src/engines/engine.ts";
import {
  FailureClass,
  type FailureEvidence,
} from "../../../src/fs-protocol/records/failure-class.ts";

const NOW_MS = Date.parse("2026-11-20T12:00:00.000Z");
const FRESH = { isResumed: false, retries: 0, limits: 0, wordHolds: 0, nowMs: NOW_MS, random: 0.5 };
const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;

function failed(
  failure: FailureClass | undefined,
  untilMs?: number,
  evidence: FailureEvidence = "event",
): TurnOutcome {
  return { kind: "failed", reason: "x", failure, untilMs, evidence };
}

test("accepts a turn that ended, asks, was blocked or stopped", () => {
  const outcomes: readonly TurnOutcome[] = [
    { kind: "ended", status: "DONE", summary: "", text: "" },
    { kind: "needs-input", question: "?" },
    { kind: "blocked", question: "?" },
    { kind: "stopped" },
  ];
  for (const outcome of outcomes) expect(afterTurn(outcome, FRESH)).toEqual({ kind: "accept" });
});

test("holds an engine without a login until a person has dealt with it", () => {
  const held = { kind: "hold", cause: "auth", untilMs: undefined };
  expect(afterTurn(failed("auth"), FRESH)).toEqual(held);
});

test("a limit holds the engine until the reported end, and up to a minute longer", () => {
  const untilMs = NOW_MS + 5 * MINUTE_MS;
  const held = { kind: "hold", cause: "limited", end: "said" };
  expect(afterTurn(failed("limited", untilMs), { ...FRESH, random: 0 })).toEqual({
    ...held,
    untilMs,
  });
  const last = afterTurn(failed("limited", untilMs), { ...FRESH, random: 0.999 });
  expect(last).toEqual({ ...held, untilMs: untilMs + 59_940 });
});

test("a limit that ends in weeks is waited for; one that only words tell of is tried once a day", () => {
  const endMs = NOW_MS + 30 * DAY_MS;
  const tried = { ...FRESH, random: 0 };
  expect(afterTurn(failed("limited", endMs), tried)).toMatchObject({ untilMs: endMs });
  expect(afterTurn(failed("limited", endMs, "words"), tried)).toMatchObject({
    untilMs: NOW_MS + DAY_MS,
  });
});

test("every sixth hold in a row for nothing but words counts as an attempt, and no other one", () => {
  const counted = (evidence: FailureEvidence, kind: FailureClass) =>
    Array.from({ length: 13 }, (_, wordHolds) => {
      const tried = { ...FRESH, retries: TURN_RETRIES_MAX, wordHolds };
      const next = afterTurn(failed(kind, undefined, evidence), tried);
      return next.kind === "hold" && next.isAttempt === true ? wordHolds + 1 : 0;
    }).filter((nth) => nth > 0);
  for (const kind of ["limited", "auth", "network", "overloaded"] as const) {
    expect(counted("words", kind)).toEqual([6, 12]);
    expect(counted("event", kind)).toEqual([]);
    expect(counted("status", kind)).toEqual([]);
  }
});

test("the hold grows each time if a limit reports no end or one in the past", () => {
  const untilOf = (limits: number, untilMs?: number) => {
    const next = afterTurn(failed("limited", untilMs), { ...FRESH, limits });
    return next.kind === "hold" ? (next.untilMs ?? 0) - NOW_MS : 0;
  };
  const waits = [0, 1, 2, 3, 20].map((limits) => untilOf(limits));
  expect(waits).toEqual([...waits].sort((one, other) => one - other));
  expect(Math.max(...waits)).toBeLessThanOrEqual(30 * MINUTE_MS);
  expect(untilOf(0, NOW_MS - 1)).toBe(untilOf(0));
});

test.each(["overloaded", "network"] as const)(
  "%s: retries a few times in the same session, then holds the engine for two minutes",
  (failure) => {
    for (let retries = 0; retries < TURN_RETRIES_MAX; retries++) {
      const next = afterTurn(failed(failure), { ...FRESH, retries });
      expect(next).toMatchObject({ kind: "retry", isFresh: false });
    }
    const last = afterTurn(failed(failure), { ...FRESH, retries: TURN_RETRIES_MAX });
    expect(last).toEqual({ kind: "hold", cause: failure, untilMs: NOW_MS + 2 * MINUTE_MS });
  },
);

test.each(["no-session", "context-too-long"] as const)(
  "%s: retries once, in a fresh session",
  (failure) => {
    const again = { kind: "retry", isFresh: true, delayMs: 0 };
    expect(afterTurn(failed(failure), { ...FRESH, isResumed: true })).toEqual(again);
    expect(afterTurn(failed(failure), FRESH)).toEqual({ kind: "accept" });
  },
);

test.each(["hang", "refused-permission", "gibberish", "crash", undefined] as const)(
  "%s counts as an attempt",
  (failure) => {
    expect(afterTurn(failed(failure), { ...FRESH, isResumed: true })).toEqual({ kind: "accept" });
  },
);

test("no failure makes a role wait forever without a person, and retries are bounded", () => {
  const outcome = fc
    .tuple(
      fc.constantFrom(...FailureClass.options),
      fc.option(fc.integer({ min: 0, max: NOW_MS * 2 }), { nil: undefined }),
    )
    .map(([failure, untilMs]) => failed(failure, untilMs));
  const tried = fc.record({
    isResumed: fc.boolean(),
    retries: fc.integer({ min: 0, max: 10 }),
    limits: fc.integer({ min: 0, max: 1_000 }),
    wordHolds: fc.integer({ min: 0, max: 1_000 }),
    nowMs: fc.constant(NOW_MS),
    random: fc.double({ min: 0, max: 0.999, noNaN: true }),
  });
  fc.assert(
    fc.property(outcome, tried, (end, how) => {
      const next = afterTurn(end, how);
      if (next.kind === "hold" && next.cause !== "auth") {
        expect(next.untilMs).toBeGreaterThan(NOW_MS);
        expect(next.untilMs).toBeLessThanOrEqual(NOW_MS + 32 * DAY_MS + MINUTE_MS);
      }
      if (next.kind !== "retry" || next.isFresh) return;
      expect(how.retries).toBeLessThan(TURN_RETRIES_MAX);
      expect(next.delayMs).toBeGreaterThanOrEqual(TURN_RETRY_MS_MIN / 2);
      expect(next.delayMs).toBeLessThanOrEqual(TURN_RETRY_MS_MAX);
    }),
  );
});
