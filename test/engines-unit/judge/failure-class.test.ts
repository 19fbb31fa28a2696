import { expect, test } from "vitest";
import type { Trouble } from "../../../src/engines/events/engine-event.ts";
import { failureOf } from "../../../src/engines/judge/failure-class.ts";
import type { FailureClass } from "../../../src/fs-protocol/records/failure-class.ts";
import { resetTime } from "../../../src/engines/judge/reset-time.ts";

const NOW_MS = Date.parse("2026-11-21T00:00:00Z");

const TROUBLES: readonly (readonly [FailureClass, Trouble])[] = [
  ["auth", { message: "x", status: 401 }],
  ["auth", { message: "Invalid API key · Please run /login" }],
  ["auth", { message: "Please set an Auth method in your settings.json" }],
  ["limited", { message: "x", status: 429 }],
  ["limited", { message: "Credit balance is too low", status: 400, code: "billing_error" }],
  ["limited", { message: "You exceeded your current quota", code: "insufficient_quota" }],
  ["limited", { message: "You've hit your usage limit. Try again in 2 hours." }],
  ["overloaded", { message: "Overloaded", status: 529 }],
  ["overloaded", { message: "x", status: 503 }],
  ["overloaded", { message: "overloaded_error" }],
  ["network", { message: "API Error: Unable to connect to API (ConnectionRefused)" }],
  ["network", { message: "stream disconnected before completion: error sending request" }],
  ["network", { message: "Could not connect to local model provider at http://127.0.0.1:9/v1." }],
  ["network", { message: "fetch failed", code: "ECONNRESET" }],
  ["context-too-long", { message: "prompt is too long: 210000 tokens > 200000", status: 400 }],
  ["context-too-long", { message: "x", status: 400, code: "context_length_exceeded" }],
  ["context-too-long", { message: "The input token count (3) exceeds the maximum (2)." }],
  ["no-session", { message: "No conversation found with session ID: 9" }],
  ["no-session", { message: "Error: No session, task, or name matched '9'." }],
  ["no-session", { message: "no rollout found for thread id 9" }],
  ["refused-permission", { message: "--x cannot be used with root/sudo privileges" }],
  ["crash", { message: "TypeError: undefined is not a function" }],
  ["crash", { message: "model not found", status: 404 }],
  ["crash", { message: "" }],
];

test.each(TROUBLES)("%s: %o", (failureClass, trouble) => {
  expect(failureOf(trouble, { nowMs: NOW_MS }).class).toBe(failureClass);
});

test("only a limit has an end time", () => {
  expect(
    failureOf({ message: "x", status: 503, retryAfterMs: 5 }, { nowMs: NOW_MS }),
  ).not.toHaveProperty("untilMs");
  expect(
    failureOf({ message: "x", status: 429, retryAfterMs: 5.5 }, { nowMs: NOW_MS }).untilMs,
  ).toBe(NOW_MS + 6);
  const resetAtMs = NOW_MS + 60_000;
  expect(
    failureOf({ message: "x", status: 429, resetAtMs, retryAfterMs: 5 }, { nowMs: NOW_MS }).untilMs,
  ).toBe(resetAtMs);
});

test.each([
  [`Claude AI usage limit reached|${NOW_MS / 1_000 + 3_600}`, 3_600_000],
  ["Try again in 3 days 2 hours 5 minutes.", (3 * 24 + 2) * 3_600_000 + 5 * 60_000],
  ["Please retry in 34.5s.", 34_500],
  ["Limit reached, resets in 1 hour and 30 minutes", 5_400_000],
  ["It resets at 2026-11-21T04:00:00Z", 4 * 3_600_000],
])("%s", (message, waitMs) => {
  expect(resetTime(message, { nowMs: NOW_MS })).toBe(NOW_MS + waitMs);
});

test.each(["no time at all", "again in a while", "reached|1000000000", "retry in 999999999 days"])(
  "%s: has no plausible reset time",
  (message) => {
    expect(resetTime(message, { nowMs: NOW_MS })).toBeUndefined();
  },
);
