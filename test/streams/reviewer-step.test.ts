import { expect, test } from "vitest";
import type { ReviewerRecord } from "../../src/fs-protocol/reviewer-log.ts";
import type { SessionState } from "../../src/fs-protocol/session-state.ts";
import { coordinate } from "../../src/streams/coordinate.ts";
import { build, plan, review, stateWith } from "../model/hand-made.ts";
import { BASE, shaAt, TIME } from "../model/names.ts";
import { reviewer, tester } from "../rig/records.ts";

/** Which commits the reviewer takes at once. */

const NOW_MS = Date.parse(TIME);
const PLANNED = { planner: [plan.staged(0, ["a1"])] };
const ADOPTED = build.adopts(0, ["a1"]);

/** So many of the commits were on the branch before the logs were read. */
function settled(state: SessionState, count: number): SessionState {
  return { ...state, branch: { ...state.branch, settled: count } };
}

function unitIn(state: SessionState): string | undefined {
  const step = coordinate("reviewer", state, NOW_MS);
  return "unit" in step ? step.unit : undefined;
}

test("consecutive commits that no log names are a person's, and one unit", () => {
  const state = stateWith({ ...PLANNED, builder: [ADOPTED], commits: 3 });
  expect(unitIn(settled(state, 3))).toBe(`commit:${shaAt(1)}..${shaAt(3)}`);
});

test("a commit that came while the logs were read may be a role's: it waits for the next look", () => {
  const state = stateWith({ ...PLANNED, builder: [ADOPTED], commits: 3 });
  expect(unitIn(settled(state, 2))).toBe(`commit:${shaAt(1)}..${shaAt(2)}`);
  expect(unitIn(settled(state, 1))).toBe(`commit:${shaAt(1)}`);
  expect(unitIn(settled(state, 0))).toBe(`commit:${shaAt(1)}`);
});

test("a commit of the builder or the tester is reviewed by itself, and ends a person's", () => {
  const milestones = [{ name: "a1", start: BASE, end: shaAt(3) }];
  const builder = [ADOPTED, { ...build.ends("a1", 2, 3), milestones }];
  const testing = [tester.test("a1", { commits: [shaAt(6)] })];
  const after = (...reviewer: readonly ReviewerRecord[]) =>
    unitIn(settled(stateWith({ ...PLANNED, builder, tester: testing, reviewer, commits: 7 }), 7));
  const milestone = review.milestone("a1", 3);
  expect(after()).toBe(`commit:${shaAt(1)}..${shaAt(2)}`);
  expect(after(review.commit(2))).toBe(`commit:${shaAt(3)}`);
  expect(after(review.commit(3), milestone)).toBe(`commit:${shaAt(4)}..${shaAt(5)}`);
  expect(after(review.commit(5), milestone)).toBe(`commit:${shaAt(6)}`);
  expect(after(review.commit(6), milestone)).toBe(`commit:${shaAt(7)}`);
});

test("what is about to be published is no person's", () => {
  const unit = "build:a1:1";
  const builder = [ADOPTED, build.begins(unit), build.intends(unit, [2, 3])];
  const state = stateWith({ ...PLANNED, builder, commits: 3 });
  expect(unitIn(settled(state, 3))).toBe(`commit:${shaAt(1)}`);
});

test("a range that gave up is asked again as the same range after a reopen", () => {
  const unit = `commit:${shaAt(1)}..${shaAt(2)}`;
  const gaveUp = reviewer.commit(2, {
    unit,
    checkpoint: shaAt(2),
    outcome: "gaveup",
    reopens: 0,
  });
  const builder = [ADOPTED, build.ends("a1", 0, 3), build.isDone("stuck", 3), build.reopens(1)];
  const state = stateWith({ ...PLANNED, builder, reviewer: [gaveUp], commits: 3 });
  expect(unitIn(settled(state, 3))).toBe(`${unit}:re1`);
});
