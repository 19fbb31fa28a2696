import { expect, test } from "vitest";
import { neverBack, systemClock } from "../../src/host/system/system-clock.ts";

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
  // A timer may fire up to a millisecond of the wall clock early.
  expect(systemClock.nowMs() - startMs).toBeGreaterThanOrEqual(19);
});

test("time continues when the wall clock is set back by a day, and follows when it is set forward", () => {
  const DAY_MS = 86_400_000;
  let wallMs = 1_000 * DAY_MS;
  let steadyMs = 5;
  const nowMs = neverBack(
    () => wallMs,
    () => steadyMs,
  );
  const pass = (wall: number, steady: number) => {
    wallMs += wall;
    steadyMs += steady;
    return nowMs() - 1_000 * DAY_MS;
  };
  expect(pass(0, 0)).toBe(0);
  expect(pass(10, 10)).toBe(10);
  expect(pass(-DAY_MS, 10)).toBe(20);
  expect(pass(10, 10)).toBe(30);
  expect(pass(2 * DAY_MS, 10)).toBe(DAY_MS + 20);
  expect(pass(10, 10)).toBe(DAY_MS + 30);
});
