import { expect, test } from "vitest";
import { steadyTime } from "../../../src/agents/supervisor/steady-time.ts";

test("steady time stops while the clock is set back by a day, and follows one that is set forward", () => {
  const times = [1000, 1500, 1500 - 86_400_000, 2000 - 86_400_000, 86_400_000];
  const clock = { nowMs: () => times.shift() ?? 0, sleep: () => Promise.resolve() };
  const nowMs = steadyTime(clock);
  expect([nowMs(), nowMs(), nowMs(), nowMs()]).toEqual([500, 500, 1000, 1000 + 172_798_000]);
});
