import { expect, test } from "vitest";
import {
  SESSION_EVENTS,
  SESSION_STATES,
  transition,
  TRANSITIONS,
  WISP_STATES,
} from "../../src/session/rules/session-machine.ts";

/** The arrows of the machine as drawn, written by hand and independent of the data. */
const DRAWN = [
  "START up RUNNING",
  "START resume RUNNING",
  "START update START",
  "START stop STOPPED",
  "START restart START",
  "START attach START",
  "START judge START",
  "START abandon TEARDOWN",
  "RUNNING up RUNNING",
  "RUNNING ask NEEDS_INPUT",
  "RUNNING get-stuck BLOCKED",
  "RUNNING finish DONE",
  "RUNNING resume RUNNING",
  "RUNNING answer RUNNING",
  "RUNNING update RUNNING",
  "RUNNING stop STOPPED",
  "RUNNING interrupt STOPPED",
  "RUNNING restart RUNNING",
  "RUNNING attach RUNNING",
  "RUNNING judge RUNNING",
  "RUNNING abandon TEARDOWN",
  "NEEDS_INPUT up NEEDS_INPUT",
  "NEEDS_INPUT resume NEEDS_INPUT",
  "NEEDS_INPUT answer RUNNING",
  "NEEDS_INPUT update RUNNING",
  "NEEDS_INPUT stop STOPPED",
  "NEEDS_INPUT restart NEEDS_INPUT",
  "NEEDS_INPUT attach NEEDS_INPUT",
  "NEEDS_INPUT judge NEEDS_INPUT",
  "NEEDS_INPUT abandon TEARDOWN",
  "BLOCKED up RUNNING",
  "BLOCKED reopen RUNNING",
  "BLOCKED resume RUNNING",
  "BLOCKED answer RUNNING",
  "BLOCKED update RUNNING",
  "BLOCKED stop STOPPED",
  "BLOCKED restart RUNNING",
  "BLOCKED attach BLOCKED",
  "BLOCKED judge RUNNING",
  "BLOCKED abandon TEARDOWN",
  "STOPPED up RUNNING",
  "STOPPED resume RUNNING",
  "STOPPED answer STOPPED",
  "STOPPED update STOPPED",
  "STOPPED stop STOPPED",
  "STOPPED attach STOPPED",
  "STOPPED judge STOPPED",
  "STOPPED abandon TEARDOWN",
  "DONE up DONE",
  "DONE reopen RUNNING",
  "DONE resume RUNNING",
  "DONE update RUNNING",
  "DONE attach DONE",
  "DONE judge RUNNING",
  "DONE hand-in PR_PUSHED",
  "DONE abandon TEARDOWN",
  "DONE tear-down TEARDOWN",
  "PR_PUSHED tear-down TEARDOWN",
];

test("the machine has the arrows that are drawn, and no others", () => {
  expect(TRANSITIONS.map(({ from, by, to }) => `${from} ${by} ${to}`)).toEqual(DRAWN);
});

test.each(DRAWN)("%s is a transition", (arrow) => {
  const from = SESSION_STATES.find((state) => state === arrow.split(" ")[0]) ?? "START";
  const by = SESSION_EVENTS.find((event) => event === arrow.split(" ")[1]) ?? "up";
  expect(transition(from, by)).toEqual({ ok: true, value: arrow.split(" ")[2] });
});

test("every other event is refused with the list of possible events", () => {
  const taken = new Set(DRAWN.map((arrow) => arrow.split(" ").slice(0, 2).join(" ")));
  for (const from of SESSION_STATES) {
    const possible = TRANSITIONS.filter((one) => one.from === from).map(({ by }) => by);
    for (const by of SESSION_EVENTS.filter((event) => !taken.has(`${from} ${event}`))) {
      const failure = { kind: "illegal-transition", from, by, possible };
      expect(transition(from, by)).toEqual({ ok: false, failure });
    }
  }
});

/** The appendix of seed 004, arrow by arrow; brackets contain what a person does. */
const SEED_004 = [
  ["START", "up", "RUNNING"],
  ["RUNNING", "finish", "DONE"],
  ["RUNNING", "ask", "NEEDS_INPUT"],
  ["RUNNING", "get-stuck", "BLOCKED"],
  // [human responds], [human investigates]
  ["NEEDS_INPUT", "answer", "RUNNING"],
  ["BLOCKED", "resume", "RUNNING"],
  // [human confirms]
  ["DONE", "hand-in", "PR_PUSHED"],
  ["PR_PUSHED", "tear-down", "TEARDOWN"],
  // From the left of the drawing.
  ["RUNNING", "abandon", "TEARDOWN"],
  ["DONE", "tear-down", "TEARDOWN"],
] as const;

test("seed 004, appendix: every state of its machine is one of ours, and every arrow is taken", () => {
  for (const [from, by, to] of SEED_004) {
    expect(transition(from, by)).toEqual({ ok: true, value: to });
  }
  const named = new Set(SEED_004.flatMap(([from, , to]) => [from, to]));
  expect([...named].sort()).toEqual(
    ["BLOCKED", "DONE", "NEEDS_INPUT", "PR_PUSHED", "RUNNING", "START", "TEARDOWN"].sort(),
  );
  // Transitions of wisp that the appendix does not draw: `wisp stop` is one of its commands.
  expect(SESSION_STATES.filter((state) => ![...named].some((one) => one === state))).toEqual([
    "STOPPED",
  ]);
});

test("every state that wisp computes has a name, and every name can be reached from the start", () => {
  const names = new Set(Object.values(WISP_STATES).map(({ name }) => name));
  expect([...names].sort()).toEqual([...SESSION_STATES].sort());
  const reached = new Set<string>(["START"]);
  const length = SESSION_STATES.length;
  for (const { from, to } of Array.from({ length }, () => TRANSITIONS).flat()) {
    if (reached.has(from)) reached.add(to);
  }
  expect([...reached].sort()).toEqual([...SESSION_STATES].sort());
});
