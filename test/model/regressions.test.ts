import { expect, test } from "vitest";
import { DEFAULT_POLICY } from "../rig/default-policy.ts";
import { coordinate } from "../../src/session/steps/coordinate.ts";
import { build, person, plan, review, stateWith, supervisor, tests, verdict } from "./hand-made.ts";
import { shaAt, TIME } from "./names.ts";

/**
 * The scenarios that broke naive rules (the titles name the rules), each as one state in which the rule that prevents it decides.
 * The exploration checks that nothing else goes wrong.
 */

const NOW_MS = Date.parse(TIME);
const WEEK_MS = 7 * 24 * 3_600_000;
const F1 = "COR-000001";
const B1 = "BUG-000001";

/** One milestone is built and recorded: the window is open, and every other role owes an answer. */
const BUILT = [build.adopts(0, ["a1"]), build.ends("a1", 0, 1)];
const PLANNED = [plan.staged(0, ["a1"]), plan.keep(1, 1)];
const REVIEWED = [review.commit(1), review.milestone("a1", 1)];
const TESTED = [tests.milestone("a1", 1)];
const IN_FINAL = [...BUILT, build.closes("all"), build.opensFinal(1)];
/** All answers that are due at the milestone. */
const ANSWERED = { planner: PLANNED, reviewer: REVIEWED, tester: TESTED, commits: 1 };
const UPDATED = { human: [person.updates(1)] };

test("R1: no plan is adopted while a milestone is being built", () => {
  const planner = [plan.staged(0, ["a1", "b1"]), plan.staged(1, ["a1", "c1"])];
  const builder = [build.adopts(0, ["a1", "b1"])];
  const state = stateWith({ ...UPDATED, planner, builder });
  expect(coordinate("builder", state, NOW_MS)).toMatchObject({ kind: "build", attempt: 1 });
});

test("R1: the planner plans an update only when the builder is at a boundary", () => {
  const planner = PLANNED;
  const building = stateWith({ ...UPDATED, planner, builder: [build.adopts(0, ["a1"])] });
  const inWindow = stateWith({ ...UPDATED, planner, builder: BUILT, commits: 1 });
  expect(coordinate("planner", building, NOW_MS)).toMatchObject({ kind: "wait" });
  expect(coordinate("planner", inWindow, NOW_MS)).toMatchObject({ kind: "plan", how: "replan" });
});

test("R2: a role that restarts first recovers its open unit", () => {
  const builder = [build.adopts(0, ["a1"]), build.begins("build:a1:1")];
  const tester = [tests.begins("test:a1:x")];
  const state = stateWith({ builder, tester });
  expect(coordinate("builder", state, NOW_MS)).toEqual({ kind: "recover", unit: "build:a1:1" });
  expect(coordinate("tester", state, NOW_MS)).toEqual({ kind: "recover", unit: "test:a1:x" });
});

test("R3: one record moves the checkpoint and opens the findings", () => {
  const { reviewer } = stateWith({ reviewer: [review.commit(1, [F1])], commits: 1 });
  expect(reviewer.checkpoint).toBe(shaAt(1));
  expect([...reviewer.open]).toEqual([F1]);
});

test("R4: a builder that gives up first waits for the answers that other roles owe", () => {
  const idles = [1, 2, 3].map((attempt) => build.idles("b1", attempt));
  const builder = [build.adopts(0, ["a1", "b1"]), build.ends("a1", 0, 1)];
  const stuck = [...builder, build.closes("timeout"), ...idles];
  const state = stateWith({ builder: stuck, commits: 1 });
  expect(coordinate("builder", state, NOW_MS)).toEqual({ kind: "halt", why: "no-progress" });

  const halted = [...stuck, build.halts()];
  const owed = stateWith({ ...ANSWERED, builder: halted, tester: [] });
  const answered = stateWith({ ...ANSWERED, builder: halted });
  expect(coordinate("builder", owed, NOW_MS)).toMatchObject({
    kind: "wait",
    reason: { kind: "roles", roles: ["tester"] },
  });
  expect(coordinate("builder", answered, NOW_MS)).toMatchObject({ kind: "done", how: "stuck" });
});

test("R5: the final phase waits for the review of a milestone whose window timed out", () => {
  const reviewer = [review.commit(1)];
  const tester = [...TESTED, tests.final(1, 1)];
  const state = stateWith({ ...ANSWERED, builder: IN_FINAL, reviewer, tester });
  expect(coordinate("builder", state, NOW_MS)).toMatchObject({
    kind: "wait",
    reason: { kind: "roles", roles: ["reviewer"] },
  });
});

const FIXED = [
  ...BUILT,
  build.closes("timeout", [F1]),
  build.fixes(F1, 1, { outcome: "fixed", sha: shaAt(2) }),
];

test("R6: a finding whose fix awaits its verdict is not on the next fix list", () => {
  const reviewer = [review.commit(1, [F1])];
  const state = stateWith({ ...ANSWERED, builder: FIXED, reviewer, commits: 2 });
  expect(coordinate("builder", state, NOW_MS + WEEK_MS)).toMatchObject({
    kind: "close",
    cause: "timeout",
    fix: [],
  });
});

test("R6: a finding whose fix was not accepted is on the next fix list", () => {
  const reviewer = [review.commit(1, [F1]), verdict(F1, 1, shaAt(2), "reopened")];
  const state = stateWith({ ...ANSWERED, builder: FIXED, reviewer, commits: 2 });
  expect(coordinate("builder", state, NOW_MS + WEEK_MS)).toMatchObject({ fix: [F1] });
});

test("R7: the limit for fix rounds holds for the whole final phase, not for each pass", () => {
  const policy = { ...DEFAULT_POLICY, fixRoundsMax: 1, fixAttemptsMax: 9 };
  const fixed = build.fixes(B1, 1, { outcome: "fixed", sha: shaAt(2) });
  const round = [build.closes("final", [B1]), fixed, build.closes("all"), build.opensFinal(2)];
  const found = [tests.milestone("a1", 1, [B1])];
  const judged = [...found, verdict(B1, 1, shaAt(2), "reopened"), tests.final(2, 2)];
  const first = stateWith({
    ...ANSWERED,
    policy,
    builder: IN_FINAL,
    tester: [...found, tests.final(1, 1)],
  });
  const second = stateWith({
    ...ANSWERED,
    policy,
    builder: [...IN_FINAL, ...round],
    reviewer: [...REVIEWED, review.commit(2)],
    tester: judged,
    commits: 2,
  });
  expect(coordinate("builder", first, NOW_MS)).toMatchObject({ kind: "close", fix: [B1] });
  expect(coordinate("builder", second, NOW_MS)).toMatchObject({ kind: "done", how: "stuck" });
});

test("R8: the final pass counts for the HEAD that its own commits left", () => {
  const reviewer = [...REVIEWED, review.commit(2)];
  const onTop = { ...ANSWERED, builder: IN_FINAL, reviewer, commits: 2 };
  const own = stateWith({ ...onTop, tester: [...TESTED, tests.final(1, 2)] });
  const foreign = stateWith({ ...onTop, tester: [...TESTED, tests.final(1, 1)] });
  expect(coordinate("builder", own, NOW_MS)).toMatchObject({ kind: "done", how: "complete" });
  expect(coordinate("builder", foreign, NOW_MS)).toEqual({ kind: "final", n: 2 });
});

test("R9: no time limit ends the final phase", () => {
  const state = stateWith({ ...ANSWERED, builder: IN_FINAL });
  expect(coordinate("builder", state, NOW_MS + WEEK_MS)).toEqual({
    kind: "wait",
    reason: { kind: "roles", roles: ["tester"] },
    untilMs: undefined,
  });
});

test("R10: a builder that has given up waits for a final pass that an update has superseded", () => {
  const builder = [...IN_FINAL, build.adopts(2, ["a1", "u11"], 1), build.halts()];
  const planner = [...PLANNED, plan.staged(2, ["a1", "u11"], { boundary: 1, request: 1 })];
  const waiting = stateWith({ ...ANSWERED, ...UPDATED, planner, builder });
  const tester = [...TESTED, tests.final(1, 1)];
  const ended = stateWith({ ...ANSWERED, ...UPDATED, planner, builder, tester });
  expect(coordinate("builder", waiting, NOW_MS)).toMatchObject({
    reason: { kind: "roles", roles: ["tester"] },
  });
  expect(coordinate("builder", ended, NOW_MS)).toMatchObject({ kind: "done", how: "stuck" });
});

test("R11: a builder waits if it sees less of human.log than its own log says it has read", () => {
  const builder = [...IN_FINAL, build.isDone("complete", 1, { human: 0 }), build.reopens(1)];
  const older = stateWith({ ...ANSWERED, builder });
  const whole = stateWith({ ...ANSWERED, ...UPDATED, builder });
  expect(coordinate("builder", older, NOW_MS)).toMatchObject({ reason: { kind: "old-view" } });
  expect(coordinate("builder", whole, NOW_MS)).toMatchObject({ reason: { kind: "roles" } });
});

test("R12: a planner waits if it sees fewer milestones than it has answered", () => {
  const builder = [build.adopts(0, ["a1"])];
  const state = stateWith({ ...ANSWERED, builder });
  expect(coordinate("planner", state, NOW_MS)).toMatchObject({ reason: { kind: "old-view" } });
});

const FINISHED = { ...ANSWERED, builder: IN_FINAL, tester: [...TESTED, tests.final(1, 1)] };

test("R13: a `done` record counts only the human records in view as read", () => {
  const state = stateWith({ ...FINISHED, human: [person.approves()] });
  expect(coordinate("builder", state, NOW_MS)).toMatchObject({ how: "complete", human: 1 });
});

test("R13: a session with an update in view is not complete", () => {
  const state = stateWith({ ...FINISHED, ...UPDATED });
  expect(coordinate("builder", state, NOW_MS)).toMatchObject({
    reason: { kind: "roles", roles: ["planner"] },
  });
});

test("R13: a plan that drops what was built meanwhile is refused", () => {
  const planner = [...PLANNED, plan.staged(2, ["xa1", "u11"], { boundary: 0, request: 1 })];
  const state = stateWith({ ...ANSWERED, ...UPDATED, builder: BUILT, planner });
  expect(coordinate("builder", state, NOW_MS)).toMatchObject({
    kind: "refuse",
    answer: { seq: 2 },
  });
});

test("R13: a finding stays open when a later review does not report it again", () => {
  const reviewer = [review.commit(1, [F1]), review.commit(2), review.milestone("a1", 2)];
  expect([...stateWith({ reviewer, commits: 2 }).reviewer.open]).toEqual([F1]);
});

test("R15: tester and reviewer work in the final phase", () => {
  const state = stateWith({ ...ANSWERED, builder: IN_FINAL, commits: 2 });
  const known = { ...state, branch: { ...state.branch, settled: 2 } };
  expect(coordinate("tester", state, NOW_MS)).toMatchObject({ kind: "final-test", n: 1 });
  expect(coordinate("reviewer", known, NOW_MS)).toMatchObject({
    kind: "review-commit",
    sha: shaAt(2),
  });
});

test("R16: a final pass that gave up ends the session stuck, and is named in the end", () => {
  const tester = [...TESTED, tests.final(1, 1, "gaveup")];
  const state = stateWith({ ...FINISHED, tester });
  expect(coordinate("builder", state, NOW_MS)).toMatchObject({
    kind: "done",
    how: "stuck",
    gaveup: ["final 1"],
  });
});

test("R17: without a first plan the session halts", () => {
  const state = stateWith({ planner: [plan.gaveUp(0, 0)] });
  expect(coordinate("builder", state, NOW_MS)).toEqual({ kind: "halt", why: "no-plan" });
});

test("R18: an end because of a failed role names that role", () => {
  const failed = [supervisor.fails("tester")];
  const state = stateWith({ ...ANSWERED, builder: IN_FINAL, supervisor: failed });
  expect(coordinate("builder", state, NOW_MS)).toMatchObject({
    kind: "done",
    how: "stuck",
    failed: ["tester"],
  });
});

test("R19: a role that sees the end exits, whatever it has open or owes", () => {
  const builder = [...IN_FINAL, build.isDone("stuck", 1, { failed: ["tester"] })];
  const tester = [...TESTED, tests.begins("final:1")];
  const state = stateWith({ planner: PLANNED, builder, tester, commits: 1 });
  for (const role of ["planner", "reviewer", "tester"] as const) {
    expect(coordinate(role, state, NOW_MS)).toEqual({ kind: "exit", reason: "done" });
  }
});

test("R20: a planner that failed before the first plan halts the session", () => {
  const state = stateWith({ supervisor: [supervisor.fails("planner")] });
  expect(coordinate("builder", state, NOW_MS)).toEqual({ kind: "halt", why: "planner-failed" });
});

test("R21: a milestone is reviewed before the commits that came after it", () => {
  const reviewer = [review.commit(1)];
  const state = stateWith({ ...ANSWERED, builder: BUILT, reviewer, commits: 3 });
  expect(coordinate("reviewer", state, NOW_MS)).toMatchObject({
    kind: "review-milestone",
    milestone: { name: "a1" },
  });
});

test("R22: a window closes without a failed role, but the session is then not complete", () => {
  const failed = [supervisor.fails("tester")];
  const inWindow = stateWith({ ...ANSWERED, builder: BUILT, tester: [], supervisor: failed });
  const inFinal = stateWith({ ...ANSWERED, builder: IN_FINAL, supervisor: failed });
  expect(coordinate("builder", inWindow, NOW_MS)).toMatchObject({ cause: "failed" });
  expect(coordinate("builder", inFinal, NOW_MS)).toMatchObject({ how: "stuck" });
});

test("R23: an update reopens a finished session, an approval does not", () => {
  const builder = [...IN_FINAL, build.isDone("complete", 1)];
  const approved = stateWith({ ...FINISHED, builder, human: [person.approves()] });
  const updated = stateWith({ ...FINISHED, builder, ...UPDATED });
  expect(coordinate("builder", approved, NOW_MS)).toEqual({ kind: "exit", reason: "done" });
  expect(coordinate("builder", updated, NOW_MS)).toEqual({ kind: "reopen", human: 1 });
});

test("R24: a milestone may end in a turn without a commit of its own", () => {
  const tick = { ...build.ends("a1", 0, 1, 2), commits: [] };
  const unverified = { ...build.idles("a1", 1), outcome: "unverified" as const };
  const { builder } = stateWith({
    builder: [build.adopts(0, ["a1"]), { ...unverified, commits: [shaAt(1)] }, tick],
    commits: 1,
  });
  expect(builder).toMatchObject({ stage: { kind: "window" }, ownEnd: shaAt(1) });
  expect(builder.stalls.size).toBe(0);
});

test("R24: only push.intent records of the open unit determine its commits", () => {
  const { builder } = stateWith({
    builder: [
      build.adopts(0, ["a1"]),
      build.begins("build:a1:1"),
      build.intends("build:a1:1", [1]),
      { ...build.idles("a1", 1), outcome: "unverified" },
      build.begins("build:a1:2"),
      build.intends("build:a1:1", [1]),
    ],
  });
  expect(builder.open).toMatchObject({ unit: "build:a1:2", intent: undefined });
});

test("R26: a fix without a change leaves the item open, and its opener must verify it", () => {
  const builder = [
    ...BUILT,
    build.closes("timeout", [F1]),
    build.fixes(F1, 1, { outcome: "nochange", sha: shaAt(1) }),
  ];
  const reviewer = [review.commit(1), review.milestone("a1", 1, [F1])];
  const state = stateWith({ ...ANSWERED, builder, reviewer });
  expect(coordinate("reviewer", state, NOW_MS)).toMatchObject({
    kind: "verify",
    fix: { id: F1, attempt: 1, sha: shaAt(1) },
  });
  expect(coordinate("builder", state, NOW_MS)).toMatchObject({
    reason: { kind: "roles", roles: ["reviewer"] },
  });
});

test("a plan that gave up is planned again under another key, even if other units came in between", () => {
  const done = [build.isDone("stuck", 1, { human: 1 }), build.reopens(2)];
  const human = [person.updates(1), person.resumes()];
  const gaveUp = plan.gaveUp(1, 1, { request: 1, reopens: 0 });
  const planner = [plan.staged(0, ["a1"]), gaveUp, plan.keep(2, 1)];
  const state = stateWith({ planner, builder: [...IN_FINAL, ...done], human, commits: 1 });
  expect(gaveUp.unit).toBe("plan:b1:r1");
  expect(coordinate("planner", state, NOW_MS)).toMatchObject({
    kind: "plan",
    unit: "plan:b1:r1:re1",
  });
});
