import { expect, test } from "vitest";
import { noticesOf } from "../../../src/agents/supervisor/notices.ts";
import { TurnLedger } from "../../../src/session/state/turn-ledger.ts";
import { factsOf, json, type Story } from "../../cli/session-states.ts";

const HASH = "a".repeat(64);
const PLAN = `seq=0 request=0 plan=${HASH} milestones=${json([{ name: "One", tasks: ["a"] }])}`;
const BUILDING: Story = {
  planner: [`plan.end unit=plan:b0:r0 boundary=0 outcome=plan ${PLAN}`],
  builder: [`plan.adopt ${PLAN}`],
};
const TIME = "2026-11-20T12:00:00.000Z";
const ENGINES = {
  planner: ["claude"],
  builder: ["claude"],
  reviewer: ["claude"],
  tester: ["claude"],
};

/** The notices of a session that builds, whose only engine is held; without `until`, until a person has seen to it. */
function heldBy(until: string | undefined, time = TIME) {
  const facts = factsOf(BUILDING);
  const ledger = new TurnLedger();
  const cause = until === undefined ? "auth" : "limited";
  const hold = { kind: "limited", time, engine: "claude", cause, human: 0 } as const;
  const record = { ...hold, ...(until === undefined ? {} : { until }), reason: "claude: log in." };
  ledger.listener("builder").onRecord(record);
  const turns = { facts: ledger, engines: ENGINES, budget: { session: {}, milestone: {} } };
  return noticesOf({ ...facts.state, turns }, facts.session, Date.parse(TIME));
}

test("a session that waits for a login says so, once for each time that it does", () => {
  const [notice, ...others] = heldBy(undefined);
  expect(others).toEqual([]);
  expect(notice?.text).toBe("wisp: api waits: claude: log in. See to it, then: wisp up");
  expect(heldBy(undefined)[0]?.about).toBe(notice?.about);
  expect(heldBy(undefined, "2026-11-20T11:00:00.000Z")[0]?.about).not.toBe(notice?.about);
});

test("a limit that ends by itself is no reason to call a person", () => {
  expect(heldBy("2026-11-20T13:00:00.000Z")).toEqual([]);
});

test("a role that is given up is told, with what tries again", () => {
  const failed = 'role.failed role=tester reason="it exited with 1 five times"';
  const { state, session } = factsOf({ ...BUILDING, supervisor: [failed] });
  expect(noticesOf(state, session, Date.parse(TIME)).map(({ text }) => text)).toEqual([
    "wisp: api: the tester failed for good: it exited with 1 five times. To try again: wisp up api",
  ]);
});

test("a session at work calls nobody", () => {
  const { state, session } = factsOf(BUILDING);
  expect(noticesOf(state, session, Date.parse(TIME))).toEqual([]);
});
