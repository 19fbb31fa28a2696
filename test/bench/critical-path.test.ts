import { expect, test } from "vitest";
import { criticalPathMs, lastEndMs } from "../../bench/critical-path.js";

function activity(beganMs: number, endedMs: number) {
  return { purpose: "build", beganMs, endedMs };
}

test("a run of turns one after the other is their sum, whatever lies between them", () => {
  expect(criticalPathMs([activity(0, 100), activity(150, 250), activity(900, 1_000)])).toBe(300);
});

test("of what ran at the same time only the longer counts", () => {
  const review = activity(100, 130);
  expect(criticalPathMs([activity(0, 100), review, activity(100, 200)])).toBe(200);
});

test("a short turn that ends last does not take the place of the chain before it", () => {
  expect(criticalPathMs([activity(0, 100), activity(90, 110)])).toBe(100);
  expect(criticalPathMs([activity(0, 100), activity(90, 110), activity(110, 115)])).toBe(105);
});

test("two short turns beside one long turn count when they are longer together", () => {
  expect(criticalPathMs([activity(0, 100), activity(10, 70), activity(70, 130)])).toBe(120);
});

test("a turn may begin at the very time at which the one before it ends", () => {
  expect(criticalPathMs([activity(0, 10), activity(10, 20)])).toBe(20);
});

test("the order in which activities are given changes nothing", () => {
  const activities = [activity(0, 40), activity(30, 90), activity(90, 100), activity(35, 50)];
  expect(criticalPathMs([...activities].reverse())).toBe(criticalPathMs(activities));
  expect(criticalPathMs(activities)).toBe(70);
});

test("what never ended is in no chain, and is not the last end", () => {
  const activities = [activity(0, 100), activity(100, NaN)];
  expect(criticalPathMs(activities)).toBe(100);
  expect(lastEndMs(activities)).toBe(100);
});

test("a run without any activity has an empty chain", () => {
  expect(criticalPathMs([])).toBe(0);
});

test("the last end is the latest one, also when an earlier activity ends it", () => {
  expect(lastEndMs([activity(0, 500), activity(10, 20)])).toBe(500);
});
