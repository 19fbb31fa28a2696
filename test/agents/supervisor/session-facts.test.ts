import fc from "fast-check";
import { expect, test } from "vitest";
import { decide } from "../../../src/agents/supervisor/decide.ts";
import { perRole } from "../../../src/base/role.ts";
import { FRESH } from "../../../src/agents/supervisor/restart-history.ts";
import { sessionFacts } from "../../../src/agents/supervisor/session-facts.ts";
import { DEFAULT_TIMING } from "../../../src/agents/supervisor/timing.ts";
import { BASE, done, HUMAN, PLANNER_ASKS, sessionOf, TIME, type Logs } from "./session-of.ts";

function factsOf(logs: Logs) {
  return sessionFacts(sessionOf(logs), Date.parse(TIME));
}

test("a session without an end is not over", () => {
  expect(factsOf({})).toMatchObject({ over: undefined, isRewritten: false, asks: undefined });
});

test.each(["complete", "stuck"] as const)("%s is taken from the builder's end", (how) => {
  expect(factsOf({ builder: done(how) }).over).toBe(how);
});

test("a stop in force is an end until a resume", () => {
  expect(factsOf({ human: [HUMAN.stop] }).over).toBe("stopped");
  expect(factsOf({ human: [HUMAN.stop, HUMAN.resume] }).over).toBeUndefined();
});

test.each(["update", "add", "dismiss", "answer"] as const)("%s after the end reopens", (kind) => {
  const builder = done("complete");
  expect(factsOf({ builder, human: [HUMAN[kind]] }).over).toBeUndefined();
});

test("resume reopens what is stuck, not what is complete", () => {
  expect(factsOf({ builder: done("stuck"), human: [HUMAN.resume] }).over).toBeUndefined();
  expect(factsOf({ builder: done("complete"), human: [HUMAN.resume] }).over).toBe("complete");
});

test("R25: after the end no number of approvals, stops and pauses starts a role", () => {
  const word = fc.constantFrom(HUMAN.approve, HUMAN.stop, HUMAN.pause);
  const how = fc.constantFrom("complete", "stuck");
  const property = fc.property(how, fc.array(word), fc.array(word), (ending, before, after) => {
    const human = [...before, ...after];
    const session = factsOf({ builder: done(ending, before.length), human });
    const roles = perRole(() => ({ holder: undefined, history: FRESH, isToRestart: false }));
    const view = { nowMs: 0, beganMs: 0, session, signals: 0, sawRewritten: false, roles };
    expect(decide(view, DEFAULT_TIMING)).toEqual({ kind: "finish", cause: ending });
  });
  fc.assert(property);
});

test("a deleted branch is a rewritten one, but not after the end", () => {
  expect(factsOf({ head: undefined }).isRewritten).toBe(true);
  expect(factsOf({ head: undefined, builder: done("complete") })).toMatchObject({
    isRewritten: false,
    over: "complete",
  });
});

test("input is needed if a role asks and no role can do anything else", () => {
  expect(factsOf({ planner: [PLANNER_ASKS] }).asks).toBe("Which database?");
});

test("no input is needed once the question is answered", () => {
  expect(factsOf({ planner: [PLANNER_ASKS], human: [HUMAN.answer] }).asks).toBeUndefined();
});

test("no input is needed while a role is working", () => {
  const unit = { kind: "unit.begin", time: TIME, unit: "plan:b0:r0", base: BASE } as const;
  expect(factsOf({ planner: [PLANNER_ASKS, unit] }).asks).toBeUndefined();
});

test("no input is needed while a role has work", () => {
  // The reviewer has a person's finding to adopt.
  expect(factsOf({ planner: [PLANNER_ASKS], human: [HUMAN.add] }).asks).toBeUndefined();
});

test("the work of a failed role is not waited for", () => {
  const failed = { kind: "role.failed", time: TIME, role: "reviewer", reason: "" } as const;
  const logs = { planner: [PLANNER_ASKS], human: [HUMAN.add], supervisor: [failed] };
  expect(factsOf(logs).asks).toBe("Which database?");
});

test("no input is needed while the session is paused", () => {
  expect(factsOf({ planner: [PLANNER_ASKS], human: [HUMAN.pause] }).asks).toBeUndefined();
});
