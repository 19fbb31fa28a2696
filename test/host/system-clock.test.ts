import { expect, test } from "vitest";
import { systemClock } from "../../src/host/system-clock.ts";

const HOUR_MS = 3_600_000;

test("a sleep ends when it is aborted, without an error", async () => {
  const controller = new AbortController();
  const sleeping = systemClock.sleep(HOUR_MS, controller.signal);
  controller.abort();
  await expect(sleeping).resolves.toBeUndefined();
});

test("a sleep that is aborted beforehand ends at once", async () => {
  await expect(systemClock.sleep(HOUR_MS, AbortSignal.abort())).resolves.toBeUndefined();
});

test("a sleep lasts no less than it was asked to", async () => {
  const startMs = systemClock.nowMs();
  await systemClock.sleep(20);
  // A timer may fire within the same millisecond of the wall clock as it is due.
  expect(systemClock.nowMs() - startMs).toBeGreaterThanOrEqual(19);
});
