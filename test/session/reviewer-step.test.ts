import { expect, test } from "vitest";
import type { ReviewerRecord } from "../../src/fs-protocol/records/reviewer-log.ts";
import { DEFAULT_POLICY } from "../rig/default-policy.ts";
import type { SessionState } from "../../src/session/state/session-state.ts";
import { coordinate } from "../../src/session/steps/coordinate.ts";
import { build, person, plan, review, stateWith } from "../model/hand-made.ts";
import { BASE, shaAt, TIME } from "../model/names.ts";
import { reviewer, tester } from "../rig/records.ts";

/** Returns the commits that the reviewer reviews next. */

const NOW_MS = Date.parse(TIME);
const PLANNED = { planner: [plan.staged(0, ["a1"])] };
const ADOPTED = build.adopts(0, ["a1"]);

const ONE_BY_ONE = { ...PLANNED, policy: { ...DEFAULT_POLICY, reviewPerCommit: 0 } };

/** The number of commits that were on the branch before the logs were read. */
function settled(state: SessionState, count: number): SessionState {
  return { ...state, branch: { ...state.branch, settled: count } };
}

function unitIn(state: SessionState): string | undefined {
  const step = coordinate("reviewer", state, NOW_MS);
  return "unit" in step ? step.unit : undefined;
}

test("consecutive commits that no log names are a person's, and one unit", () => {
  const state = stateWith({ ...ONE_BY_ONE, builder: [ADOPTED], commits: 3 });
  expect(unitIn(settled(state, 3))).toBe(`commit:${shaAt(1)}..${shaAt(3)}`);
});

test("a commit that arrived while the logs were read may be a role's: it waits for the next read", () => {
  const state = stateWith({ ...ONE_BY_ONE, builder: [ADOPTED], commits: 3 });
  expect(unitIn(settled(state, 2))).toBe(`commit:${shaAt(1)}..${shaAt(2)}`);
  expect(unitIn(settled(state, 1))).toBe(`commit:${shaAt(1)}`);
});

test("a commit of the builder or the tester is reviewed on its own, and ends a range of a person's commits", () => {
  const milestones = [{ name: "a1", start: BASE, end: shaAt(3) }];
  const builder = [ADOPTED, { ...build.ends("a1", 2, 3), milestones }];
  const testing = [tester.test("a1", { commits: [shaAt(6)] })];
  const after = (...reviewer: readonly ReviewerRecord[]) =>
    unitIn(
      settled(stateWith({ ...ONE_BY_ONE, builder, tester: testing, reviewer, commits: 7 }), 7),
    );
  const milestone = review.milestone("a1", 3);
  expect(after()).toBe(`commit:${shaAt(1)}..${shaAt(2)}`);
  expect(after(review.commit(2))).toBe(`commit:${shaAt(3)}`);
  expect(after(review.commit(3), milestone)).toBe(`commit:${shaAt(4)}..${shaAt(5)}`);
  expect(after(review.commit(5), milestone)).toBe(`commit:${shaAt(6)}`);
  expect(after(review.commit(6), milestone)).toBe(`commit:${shaAt(7)}`);
});

test("commits that are about to be published are not a person's", () => {
  const unit = "build:a1:1";
  const builder = [ADOPTED, build.begins(unit), build.intends(unit, [2, 3])];
  const state = stateWith({ ...ONE_BY_ONE, builder, commits: 3 });
  expect(unitIn(settled(state, 3))).toBe(`commit:${shaAt(1)}`);
});

test("a range that gave up is reviewed again as the same range after a reopen", () => {
  const unit = `commit:${shaAt(1)}..${shaAt(2)}`;
  const gaveUp = reviewer.commit(2, {
    unit,
    checkpoint: shaAt(2),
    outcome: "gaveup",
    reopens: 0,
  });
  const builder = [ADOPTED, build.ends("a1", 0, 3), build.isDone("stuck", 3), build.reopens(1)];
  const state = stateWith({ ...ONE_BY_ONE, builder, reviewer: [gaveUp], commits: 3 });
  expect(unitIn(settled(state, 3))).toBe(`${unit}:re1`);
});

/** Returns the reviewer's next step if at most `perCommit` commits are reviewed together. */
function stepAt(perCommit: number, given: Parameters<typeof stateWith>[0], count: number) {
  const policy = { ...DEFAULT_POLICY, reviewPerCommit: perCommit };
  const state = settled(stateWith({ ...PLANNED, policy, ...given, commits: count }), count);
  return coordinate("reviewer", state, NOW_MS);
}

const IDLE = { kind: "wait", reason: { kind: "idle" } };

test("a milestone is reviewed together with its commits; commits above the maximum come first", () => {
  const builder = [ADOPTED, build.ends("a1", 0, 3)];
  const milestone = { kind: "review-milestone", covers: { checkpoint: shaAt(3) } };
  expect(stepAt(3, { builder }, 3)).toMatchObject(milestone);
  expect(stepAt(2, { builder }, 3)).toMatchObject({ unit: `commit:${shaAt(1)}` });
  expect(stepAt(2, { builder, reviewer: [review.commit(1)] }, 3)).toMatchObject(milestone);
});

test("the review of a milestone whose commits were all reviewed covers none of them", () => {
  const builder = [ADOPTED, build.ends("a1", 0, 1)];
  const step = stepAt(1, { builder, reviewer: [review.commit(1)] }, 1);
  expect(step).toMatchObject({ kind: "review-milestone" });
  expect(step).not.toHaveProperty("covers");
});

test("commits wait for their milestone, except those above the maximum", () => {
  const unit = "build:a1:1";
  const builder = [ADOPTED, build.begins(unit), build.intends(unit, [1, 2, 3])];
  expect(stepAt(3, { builder }, 3)).toMatchObject(IDLE);
  expect(stepAt(2, { builder }, 3)).toMatchObject({ unit: `commit:${shaAt(1)}` });
  expect(stepAt(2, { builder, reviewer: [review.commit(1)] }, 3)).toMatchObject(IDLE);
});

test("a person's commits have a unit of their own, after the commits before them", () => {
  const own = { ...build.ends("a1", 0, 5), commits: [shaAt(1), shaAt(2), shaAt(5)] };
  const after = (...reviewer: readonly ReviewerRecord[]) =>
    stepAt(5, { builder: [ADOPTED, own], reviewer }, 5);
  const first = { ...review.commit(2), unit: `commit:${shaAt(1)}..${shaAt(2)}` };
  expect(after()).toMatchObject({ unit: `commit:${shaAt(1)}..${shaAt(2)}` });
  expect(after(first)).toMatchObject({ unit: `commit:${shaAt(3)}..${shaAt(4)}` });
  expect(after(first, review.commit(4))).toMatchObject({ covers: { checkpoint: shaAt(5) } });
});

test.each([0, 5])(
  "a commit that arrived while the logs were read causes an immediate new read, at most %i at once",
  (reviewPerCommit) => {
    const policy = { ...DEFAULT_POLICY, reviewPerCommit };
    const state = stateWith({ ...PLANNED, policy, builder: [ADOPTED], commits: 1 });
    expect(coordinate("reviewer", settled(state, 0), NOW_MS)).toMatchObject({
      kind: "wait",
      untilMs: 0,
    });
    expect(unitIn(settled(state, 1))).toBe(`commit:${shaAt(1)}`);
  },
);

test("commits outside all milestones are reviewed together in the final phase, and a question keeps their range", () => {
  const done = {
    planner: [...PLANNED.planner, plan.keep(1, 1)],
    tester: [tester.test("a1", { commits: [shaAt(2), shaAt(3)] })],
  };
  const built = [ADOPTED, build.ends("a1", 0, 1), build.closes("all")];
  const reviewed = [review.together("a1", 1)];
  const unit = `commit:${shaAt(2)}..${shaAt(3)}`;
  const last = [...built, build.opensFinal(1)];
  expect(stepAt(5, { ...done, builder: built, reviewer: reviewed }, 3)).toMatchObject(IDLE);
  expect(stepAt(5, { ...done, builder: last, reviewer: reviewed }, 3)).toMatchObject({ unit });
  const human = [person.answers("reviewer-1")];
  const asked = reviewer.commit(2, {
    unit: `commit:${shaAt(2)}`,
    outcome: "needs_input",
    question: "reviewer-1",
  });
  expect(
    stepAt(5, { ...done, builder: last, reviewer: [...reviewed, asked], human }, 3),
  ).toMatchObject({ unit: `commit:${shaAt(2)}` });
});

test("a milestone that gave up with its commits is reviewed again with them", () => {
  const unit = `review:a1:${shaAt(1)}`;
  const gaveUp = reviewer.commit(1, {
    unit,
    m: "a1",
    checkpoint: shaAt(1),
    outcome: "gaveup",
    reopens: 0,
  });
  const builder = [ADOPTED, build.ends("a1", 0, 1), build.isDone("stuck", 1), build.reopens(1)];
  const step = stepAt(5, { builder, reviewer: [gaveUp] }, 1);
  expect(step).toMatchObject({ unit: `${unit}:re1` });
  expect(step).toMatchObject({ covers: { checkpoint: undefined } });
});
