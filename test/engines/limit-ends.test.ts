import { expect, test } from "vitest";
import type { Step } from "../rig/model-server.ts";
import { Drive } from "./drive.ts";
import { atItsLimit } from "./subscription-limit.ts";

const HOUR_MS = 60 * 60_000;
const MINUTE_MS = 60_000;
const ENOUGH = { timeoutMs: 100_000 } as const;

/** Seconds since 1970, two hours from now. */
function resetsAt(): number {
  return Math.floor((Date.now() + 2 * HOUR_MS) / 1_000);
}

test("claude: a subscription's limit ends when its event says so", async () => {
  const seconds = resetsAt();
  await using drive = await Drive.start("claude", [atItsLimit(seconds)]);
  drive.setVariables({
    ANTHROPIC_API_KEY: undefined,
    CLAUDE_CODE_OAUTH_TOKEN: "sk-ant-oat01-test",
  });
  expect(await drive.turn(ENOUGH)).toMatchObject({
    ...{ kind: "failed", failure: "limited", evidence: "event" },
    untilMs: seconds * 1_000,
  });
});

test.each([
  ["America/New_York", 0],
  ["Asia/Tokyo", 5],
])(
  "codex: a usage limit ends at its clock time in the zone of the machine (%s, in %i days)",
  async (zone, days) => {
    const seconds = resetsAt() + days * 24 * 3_600;
    const limited: Step = {
      ...{ status: 429, type: "usage_limit_reached", message: "The usage limit has been reached" },
      details: { plan_type: "plus", resets_at: seconds, resets_in_seconds: 7_200 },
    };
    await using drive = await Drive.start("codex", [limited]);
    drive.setVariables({ TZ: zone });
    expect(await drive.turn(ENOUGH)).toMatchObject({
      ...{ kind: "failed", failure: "limited", evidence: "event" },
      // It says no seconds.
      untilMs: Math.floor((seconds * 1_000) / MINUTE_MS) * MINUTE_MS,
    });
  },
);

test("gemini: a quota of a day is a limit, not a missing login", async () => {
  const violations = [{ quotaId: "GenerateRequestsPerDayPerProjectPerModel-FreeTier" }];
  const type = "type.googleapis.com/google.rpc";
  const details = [
    { "@type": `${type}.QuotaFailure`, violations },
    { "@type": `${type}.RetryInfo`, retryDelay: "25200s" },
  ];
  const limited: Step = {
    ...{ status: 429, type: "RESOURCE_EXHAUSTED", details: { details } },
    message: "You exceeded your current quota. Please retry in 7h0m0s.",
  };
  await using drive = await Drive.start("gemini", [limited]);
  const outcome = await drive.turn(ENOUGH);
  expect(outcome).toMatchObject({ kind: "failed", failure: "limited" });
  const untilMs = outcome.kind === "failed" ? (outcome.untilMs ?? 0) : 0;
  expect(Math.round((untilMs - Date.now()) / HOUR_MS)).toBe(7);
});

test("opencode: a limit that it waits out in silence is recognized, and no hang", async () => {
  const limited: Step = {
    ...{ status: 429, headers: { "retry-after": "3600" }, type: "rate_limit_error" },
    message: "This request would exceed your rate limit",
  };
  await using drive = await Drive.start("opencode", [limited]);
  expect(await drive.turn(ENOUGH, { limitTimeoutMs: 3_000 })).toMatchObject({
    ...{ kind: "failed", failure: "limited" },
    reason: "opencode is at its limit: AI_APICallError: This request would exceed your rate limit",
  });
  expect(drive.leftovers()).toEqual([]);
});
