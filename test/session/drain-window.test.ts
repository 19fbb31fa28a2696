import { expect, test } from "vitest";
import { DEFAULT_POLICY } from "../rig/default-policy.ts";
import { DRAIN_EXTENSIONS_MAX, drainEndsMs } from "../../src/session/steps/drain-window.ts";
import { build, person, plan, review, stateWith, tests } from "../model/hand-made.ts";
import { TIME } from "../model/names.ts";

const OPENED_MS = Date.parse(TIME);
const MINUTE_MS = 60_000;
/** Minutes: planner 5, reviewer 2, tester 10. */
const { planner: PLANNER_MS, reviewer: REVIEWER_MS, tester: TESTER_MS } = DEFAULT_POLICY.drainMs;

/** A window that opened at `OPENED_MS`. */
const WINDOW = { builder: [build.adopts(0, ["a1"]), build.ends("a1", 0, 1)], commits: 1 };

/** Creates a record this many milliseconds after the window opened. */
function later<R extends { readonly time: string }>(record: R, afterMs: number): R {
  return { ...record, time: new Date(OPENED_MS + afterMs).toISOString() };
}

test("a role has its limit from the record that opened the window", () => {
  const state = stateWith(WINDOW);
  expect(drainEndsMs(state, ["planner"])).toBe(OPENED_MS + PLANNER_MS);
  expect(drainEndsMs(state, ["reviewer"])).toBe(OPENED_MS + REVIEWER_MS);
  expect(drainEndsMs(state, ["tester"])).toBe(OPENED_MS + TESTER_MS);
});

test("the builder waits for the latest limit of the roles that owe an answer", () => {
  const state = stateWith(WINDOW);
  expect(drainEndsMs(state, ["planner", "reviewer"])).toBe(OPENED_MS + PLANNER_MS);
  expect(drainEndsMs(state, ["reviewer", "tester"])).toBe(OPENED_MS + TESTER_MS);
});

test("each end of a unit restarts only its own role's clock", () => {
  const state = stateWith({ ...WINDOW, reviewer: [later(review.commit(1), MINUTE_MS)] });
  expect(drainEndsMs(state, ["reviewer"])).toBe(OPENED_MS + MINUTE_MS + REVIEWER_MS);
  expect(drainEndsMs(state, ["planner"])).toBe(OPENED_MS + PLANNER_MS);
});

test("an end from before the window restarts nothing", () => {
  const state = stateWith({ ...WINDOW, tester: [later(tests.milestone("z1", 1), -MINUTE_MS)] });
  expect(drainEndsMs(state, ["tester"])).toBe(OPENED_MS + TESTER_MS);
});

test("a role that keeps ending units gets at most five limits", () => {
  const lateMs = DRAIN_EXTENSIONS_MAX * REVIEWER_MS - 1;
  const state = stateWith({ ...WINDOW, reviewer: [later(review.commit(1), lateMs)] });
  expect(DRAIN_EXTENSIONS_MAX).toBe(5);
  expect(drainEndsMs(state, ["reviewer"])).toBe(OPENED_MS + 5 * REVIEWER_MS);
});

test("the last item of a fix list opens a new window", () => {
  const fixed = build.fixes("COR-000001", 1, { outcome: "failed" });
  const builder = [...WINDOW.builder, build.closes("all", ["COR-000001"])];
  const policy = { ...DEFAULT_POLICY, fixAttemptsMax: 1 };
  const state = stateWith({ policy, builder: [...builder, later(fixed, MINUTE_MS)] });
  expect(drainEndsMs(state, ["tester"])).toBe(OPENED_MS + MINUTE_MS + TESTER_MS);
});

test("a pause stops every clock, until it is lifted", () => {
  const paused = [person.pauses()];
  expect(drainEndsMs(stateWith({ ...WINDOW, human: paused }), ["tester"])).toBeUndefined();
  const resumed = stateWith({ ...WINDOW, human: [...paused, person.resumes()] });
  expect(drainEndsMs(resumed, ["tester"])).toBe(OPENED_MS + TESTER_MS);
});

test("a question stops the clock while its role is waited for, until it is answered", () => {
  const planner = [plan.asks(0, "q1")];
  const asking = stateWith({ ...WINDOW, planner });
  expect(drainEndsMs(asking, ["planner", "tester"])).toBeUndefined();
  expect(drainEndsMs(asking, ["tester"])).toBe(OPENED_MS + TESTER_MS);
  const answered = stateWith({ ...WINDOW, planner, human: [person.answers("q1")] });
  expect(drainEndsMs(answered, ["planner", "tester"])).toBe(OPENED_MS + TESTER_MS);
});
