import { expect, test } from "vitest";
import { ROLES } from "../../src/base/role.ts";
import { branchOf, type SessionState } from "../../src/session/state/session-state.ts";
import { coordinate } from "../../src/session/steps/coordinate.ts";
import { build, person, plan, review, stateWith, tests } from "../model/hand-made.ts";
import { BASE, shaAt, TIME } from "../model/names.ts";

/** The rows that every role's table starts with: stop, pause, question, a rewritten branch. */

const NOW_MS = Date.parse(TIME);
const PLANNED = [plan.staged(0, ["a1"])];
/** A window is open: planner, reviewer and tester have work to do. */
const BUILT = {
  planner: PLANNED,
  builder: [build.adopts(0, ["a1"]), build.ends("a1", 0, 1)],
  commits: 1,
};
const OTHERS = ["planner", "reviewer", "tester"] as const;

test("without a stop, pause or question, planner, reviewer and tester have work, and the builder waits for them", () => {
  const state = stateWith(BUILT);
  for (const role of OTHERS) expect(coordinate(role, state, NOW_MS).kind).not.toBe("wait");
  expect(coordinate("builder", state, NOW_MS)).toMatchObject({
    reason: { kind: "roles", roles: OTHERS },
  });
});

test("every role exits while a stop is in force", () => {
  const stopped = stateWith({ ...BUILT, human: [person.stops()] });
  const resumed = stateWith({ ...BUILT, human: [person.stops(), person.resumes()] });
  for (const role of ROLES) {
    expect(coordinate(role, stopped, NOW_MS)).toEqual({ kind: "exit", reason: "stopped" });
    expect(coordinate(role, resumed, NOW_MS)).toEqual(coordinate(role, stateWith(BUILT), NOW_MS));
  }
});

test("every role waits while the session is paused", () => {
  const paused = stateWith({ ...BUILT, human: [person.pauses()] });
  const resumed = stateWith({ ...BUILT, human: [person.pauses(), person.resumes()] });
  for (const role of ROLES) {
    expect(coordinate(role, paused, NOW_MS)).toMatchObject({ reason: { kind: "paused" } });
    expect(coordinate(role, resumed, NOW_MS)).toEqual(coordinate(role, stateWith(BUILT), NOW_MS));
  }
});

test("only the role that asked waits until its question is answered", () => {
  const planner = [...PLANNED, plan.asks(1, "q1")];
  const asking = stateWith({ ...BUILT, planner });
  const answered = stateWith({ ...BUILT, planner, human: [person.answers("q1")] });
  expect(coordinate("planner", asking, NOW_MS)).toMatchObject({
    reason: { kind: "question", question: { id: "q1" } },
  });
  expect(coordinate("reviewer", asking, NOW_MS).kind).toBe("review-milestone");
  expect(coordinate("planner", answered, NOW_MS).kind).toBe("plan");
});

test("a builder that asked waits, and starts the same unit again after the answer", () => {
  const asks = { ...build.idles("a1", 1), outcome: "needs_input" as const, question: "q1" };
  const builder = [build.adopts(0, ["a1"]), asks];
  const asking = stateWith({ planner: PLANNED, builder });
  const answered = stateWith({ planner: PLANNED, builder, human: [person.answers("q1")] });
  expect(coordinate("builder", asking, NOW_MS)).toMatchObject({ reason: { kind: "question" } });
  expect(coordinate("builder", answered, NOW_MS)).toMatchObject({ unit: "build:a1:1" });
});

test("commits of the tester do not hold up a window", () => {
  const answers = {
    planner: [...PLANNED, plan.keep(1, 1)],
    reviewer: [review.commit(1), review.milestone("a1", 1)],
    tester: [tests.milestone("a1", 1)],
  };
  const state = stateWith({ ...BUILT, ...answers, commits: 3 });
  expect(coordinate("builder", state, NOW_MS)).toMatchObject({ kind: "close", cause: "all" });
});

/** The same session on a branch with these commits. */
function onBranch(state: SessionState, places: readonly number[]): SessionState {
  const shas = places.map(shaAt);
  return { ...state, branch: branchOf(BASE, shas.at(-1) ?? BASE, shas) };
}

test("if the branch lost a recorded commit, every role exits with that reason", () => {
  const rewritten = onBranch(stateWith(BUILT), [7, 8]);
  const deleted = { ...stateWith(BUILT), branch: branchOf(BASE, undefined, []) };
  for (const role of ROLES) {
    for (const state of [rewritten, deleted]) {
      expect(coordinate(role, state, NOW_MS)).toEqual({ kind: "exit", reason: "branch-rewritten" });
    }
  }
});

test("a branch that lost a commit that only the reviewer or the tester names counts as rewritten, too", () => {
  const reviewed = stateWith({ ...BUILT, reviewer: [review.commit(2)], commits: 2 });
  const tested = stateWith({ ...BUILT, tester: [tests.final(1, 2)], commits: 2 });
  for (const state of [reviewed, tested]) {
    expect(coordinate("builder", onBranch(state, [1, 2]), NOW_MS).kind).toBe("wait");
    expect(coordinate("builder", onBranch(state, [1, 9]), NOW_MS).kind).toBe("exit");
  }
});

test("after the end, a person may delete the branch", () => {
  const builder = [...BUILT.builder, build.closes("all"), build.halts(), build.isDone("stuck", 1)];
  const state = { ...stateWith({ ...BUILT, builder }), branch: branchOf(BASE, undefined, []) };
  for (const role of ROLES) {
    expect(coordinate(role, state, NOW_MS)).toEqual({ kind: "exit", reason: "done" });
  }
});
