import { expect, test } from "vitest";
import type { LinkJson } from "../../src/fs-protocol/home/link-json.ts";
import { sessionRows, listedSession } from "../../src/views/next/session-rows.ts";
import { sessionAnywhere } from "../../src/views/queue/list-all-view.ts";
import { plainText } from "../../src/views/rows/row.ts";
import { statusRows } from "../../src/views/status/status-rows.ts";
import { statusView } from "../../src/views/status/status-view.ts";
import { factsOf, json, oid, type Story } from "../cli/session-states.ts";

const MILESTONES = json([{ name: "Parser", tasks: ["a", "b"] }]);
const PLAN = `seq=0 request=0 plan=${"a".repeat(64)} milestones=${MILESTONES}`;
const BUILDING: Story = {
  planner: [`plan.end unit=plan:b0:r0 boundary=0 outcome=plan ${PLAN}`],
  builder: [`plan.adopt ${PLAN}`, "unit.begin unit=build:Parser:1"],
  commits: [oid("1")],
};
const AT_WORK = { ".": ["supervisor", "planner", "builder", "reviewer", "tester"] } as const;

/** The session at a place that was heard so many seconds ago. */
function heard(story: Story, secondsAgo: number, news: Partial<LinkJson> = {}) {
  const facts = factsOf(story, []);
  const heardMs = facts.nowMs - secondsAgo * 1_000;
  const alive = { ".": [...AT_WORK["."]] };
  const link: LinkJson = { version: 1, heardMs, wholeMs: heardMs, alive, ...news };
  return { ...facts, mirrors: { executor: "box", id: "p1", root: "/p1" }, link };
}

const LOST = "OUT OF REACH, last seen RUNNING (building) 36s ago";

test("a session at a place that is out of reach is shown as it was last seen, and said to be", () => {
  const facts = heard(BUILDING, 36, { trouble: "box cannot be reached: timeout" });
  const status = plainText(statusRows(statusView(facts)));
  expect(status).toContain(LOST);
  expect(status).toContain("its files here are as of 36s ago");
  expect(status).not.toMatch(/not running|STOPPED|in touch/u);
  expect(plainText(sessionRows([listedSession(facts)]))).toContain(LOST);
  expect(sessionAnywhere(facts)).toMatchObject({
    says: LOST,
    state: "RUNNING",
    isSupervised: false,
  });
});

test("one whose processes had ended when it was last heard is out of reach, and was interrupted", () => {
  const facts = heard(BUILDING, 90, { alive: { ".": [] } });
  expect(listedSession(facts).says).toBe(
    "OUT OF REACH, last seen STOPPED (interrupted) 1m 30s ago",
  );
});

test("a place that was never heard is out of reach", () => {
  const facts = { ...heard(BUILDING, 0), link: { version: 1 as const, alive: {} } };
  const says = "OUT OF REACH, nothing was heard of it yet";
  expect(listedSession({ ...facts, state: factsOf({}, []).state }).says).toBe(says);
});

test("a link that has just broken is not in touch, and the session is believed for as long as links are ever silent", () => {
  const facts = heard(BUILDING, 9, { trouble: "box cannot be reached: timeout" });
  const now = { ...facts, alive: factsOf(BUILDING, AT_WORK["."]).alive };
  const status = plainText(statusRows(statusView(now)));
  expect(status).toContain("RUNNING (building)");
  expect(status).toContain("as of 9s ago");
  expect(status).not.toContain("in touch");
});
