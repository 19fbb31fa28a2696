import { expect, test } from "vitest";
import {
  REVIEW_EVENTS,
  REVIEW_STATES,
  REVIEW_TRANSITIONS,
  reviewState,
  reviewTransition,
  type ReviewState,
} from "../../src/session/rules/review-machine.ts";
import { factsOf, json, oid, type Story } from "../cli/session-states.ts";

const ALL = REVIEW_STATES.flatMap((from) => REVIEW_EVENTS.map((by) => ({ from, by })));

test.each(ALL)("$from accepts $by exactly if the machine has that arrow", (one) => {
  const line = REVIEW_TRANSITIONS.find(({ from, by }) => from === one.from && by === one.by);
  const next = reviewTransition(one.from, one.by);
  const possible = REVIEW_TRANSITIONS.filter(({ from }) => from === one.from).map(({ by }) => by);
  expect(next).toEqual(
    line === undefined
      ? { ok: false, failure: { kind: "illegal-review", ...one, possible } }
      : { ok: true, value: line.to },
  );
});

test("seed 001, workflow states: a revision leads back to review, and a rejection is final", () => {
  const way = ["finish", "request-revision", "begin", "finish"] as const;
  const states = way.reduce<readonly ReviewState[]>(
    (seen, by) => {
      const next = reviewTransition(seen.at(-1) ?? "REJECTED", by);
      return [...seen, next.ok ? next.value : "REJECTED"];
    },
    ["INITIAL_EXECUTION"],
  );
  expect(states).toEqual([
    "INITIAL_EXECUTION",
    "PENDING_REVIEW",
    "REVISION_REQUESTED",
    "REVISION_IN_PROGRESS",
    "PENDING_REVIEW",
  ]);
  expect(REVIEW_TRANSITIONS.filter(({ from }) => from === "REJECTED")).toEqual([]);
});

const HEAD = oid("a");
const COMPLETE = `done how=complete head=${HEAD} human=0 open=- gaveup=- failed=${json([])} reason=fine`;
const EMPTY: Story = { commits: [HEAD] };
const PLAN = `plan.adopt seq=0 plan=${"0".repeat(64)} request=0 milestones=${json([])}`;
const FINISHED: Story = { ...EMPTY, builder: [PLAN, `final.open n=1 at=${HEAD}`, COMPLETE] };

function stateOf(story: Story) {
  return factsOf(story).state;
}

const finishedWith = (...human: readonly string[]): Story => ({ ...FINISHED, human });

test.each<[ReviewState, string, Story, readonly Story[]]>([
  ["INITIAL_EXECUTION", "is in progress", EMPTY, []],
  ["INITIAL_EXECUTION", "was reopened", finishedWith("approve", `update v=1 sha256=x`), []],
  ["PENDING_REVIEW", "is complete", FINISHED, []],
  [
    "REVISION_REQUESTED",
    "has a revision that has not begun",
    finishedWith("revise revision=1"),
    [EMPTY],
  ],
  [
    "REVISION_IN_PROGRESS",
    "has a revision with a supervisor",
    finishedWith("revise revision=1"),
    [{ ...EMPTY, supervisor: ["supervisor.start pid=7"] }],
  ],
  ["PENDING_REVIEW", "has a complete revision", finishedWith("revise revision=1"), [FINISHED]],
  [
    "PENDING_REVIEW",
    "has an abandoned revision",
    finishedWith("revise revision=1"),
    [{ human: ["abandon"] }],
  ],
  ["APPROVED", "was approved at its head", finishedWith(`approve at=${HEAD}`), []],
  [
    "PENDING_REVIEW",
    "was approved before another commit",
    finishedWith(`approve at=${oid("b")}`),
    [],
  ],
  [
    "PENDING_REVIEW",
    "was approved before its revision",
    finishedWith(`approve at=${HEAD}`, "revise revision=1"),
    [FINISHED],
  ],
  ["APPROVED", "was shipped", finishedWith(`done at=${HEAD}`), []],
  [
    "REVISION_REQUESTED",
    "was shipped and has a new revision",
    finishedWith(`done at=${HEAD}`),
    [EMPTY],
  ],
  ["REJECTED", "was rejected", finishedWith(`reject at=${HEAD}`), []],
  ["REJECTED", "was abandoned", finishedWith("abandon"), []],
])("it is %s if the session %s", (expected, _, parent, revisions) => {
  expect(reviewState(stateOf(parent), revisions.map(stateOf))).toBe(expected);
});
