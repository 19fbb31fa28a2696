import { expect, test } from "vitest";
import { plainText } from "../../src/views/rows/row.ts";
import { listedSession, sessionRows } from "../../src/views/next/session-rows.ts";
import { statusRows } from "../../src/views/status/status-rows.ts";
import { statusView } from "../../src/views/status/status-view.ts";
import { TurnLedger } from "../../src/session/state/turn-ledger.ts";
import { factsOf, json, oid, type Story } from "../cli/session-states.ts";

/*
 * No view says "stopped" while an engine works, or "as you asked" if nobody asked.
 */

const HASH = "a".repeat(64);
const PLAN = json([{ name: "Parser", tasks: ["a"] }]);
const planned = [
  `plan.end unit=plan:b0:r0 seq=0 boundary=0 request=0 outcome=plan plan=${HASH} milestones=${PLAN}`,
];
const adopted = [`plan.adopt seq=0 plan=${HASH} request=0 milestones=${PLAN}`];
const building: Story = {
  planner: planned,
  builder: [...adopted, "unit.begin unit=build:Parser:1"],
};
const ALL = ["supervisor", "planner", "builder", "reviewer", "tester"] as const;

function says(story: Story, alive: Parameters<typeof factsOf>[1] = ALL) {
  const { roles } = statusView(factsOf(story, alive));
  return new Map(roles.map(({ role, says: words }) => [role, words]));
}

test("every view shows a role that was asked to stop during a turn as finishing it, until its process is gone", () => {
  const stopped = { ...building, human: ["stop"] };
  expect(says(stopped).get("builder")).toBe('stopping: finishing its turn at building "Parser"');
  const facts = factsOf(stopped);
  const view = statusView(facts);
  expect(view).toMatchObject({ state: "RUNNING", stage: "building", finishing: ["builder"] });
  expect(view.roles[1]).toMatchObject({ role: "builder", state: "works" });
  const text = plainText(statusRows(view));
  expect(text).toContain("stopping: the builder finishes its turn");
  expect(text).not.toContain("stopped");
  const listed = listedSession(facts);
  expect(listed).toMatchObject({ state: "RUNNING", finishing: ["builder"] });
  expect(plainText(sessionRows([listed]))).toContain("stopping: builder");

  const gone = factsOf(stopped, []);
  expect(statusView(gone)).toMatchObject({ state: "STOPPED", stage: "stopped", finishing: [] });
  expect(says(stopped, []).get("builder")).toBe("stopped, as you asked");
  expect(plainText(sessionRows([listedSession(gone)]))).toMatch(/STOPPED/);
});

test("a role without a unit is stopping as long as its process lives", () => {
  const stopped = { ...building, human: ["stop"] };
  expect(says(stopped).get("tester")).toBe("stopping");
  expect(says(stopped, ["builder"]).get("tester")).toBe("stopped, as you asked");
});

test("after the end of a session, a role that is still in a unit is finishing its turn", () => {
  const done = `done how=stuck head=${oid("0")} open=- gaveup=- failed=${json(["tester"])} human=0 reason=x`;
  const ended = {
    ...building,
    builder: [...adopted, `halt reason=noprogress explanation=x`, done],
    tester: ["unit.begin unit=final:1"],
  };
  expect(says(ended).get("tester")).toMatch(/^finishing its turn at .*: the session has ended$/);
  expect(statusView(factsOf(ended)).finishing).toEqual(["tester"]);
  expect(says(ended, []).get("tester")).toBe("ended: its process failed");
});

test("a role in a turn on a rewritten branch is shown as working until it notices", () => {
  const facts = factsOf(building);
  const rewritten = { ...facts.state.branch, head: undefined };
  const view = statusView({ ...facts, state: { ...facts.state, branch: rewritten } });
  expect(view.roles[1]?.says).toBe(
    'finishing its turn at building "Parser": the branch was rewritten or deleted',
  );
});

test("while its engine is held, a role in a turn is working, and one without a turn waits", () => {
  const recovered = "unit.recover unit=build:Parser:1 found=nothing";
  const facts = factsOf({ ...building, builder: [...(building.builder ?? []), recovered] });
  const running = { engine: "claude", output: "o-1", purpose: "build", attempt: 1 } as const;
  const at = { time: "2026-11-20T12:00:00.000Z", unit: "build:Parser:1" };
  const ledger = new TurnLedger();
  ledger.listener("builder").onRecord({ kind: "turn.begin", ...at, ...running });
  const budget = { session: { turns: 1 }, milestone: {} };
  const engines = { planner: [], builder: ["claude"], reviewer: [], tester: [] };
  const turns = { facts: ledger, engines, budget };
  const held = { ...facts, state: { ...facts.state, turns } };
  expect(statusView(held).roles[1]).toMatchObject({ state: "works" });
  const end = { kind: "turn.end", ...at, output: "o-1", outcome: "failed" } as const;
  ledger.listener("builder").onRecord(end);
  expect(statusView(held).roles[1]).toMatchObject({ state: "waits" });
});

test("after the work was shipped or abandoned, no role is shown as asked to stop", () => {
  const done = { ...building, human: ["done at=HEAD".replace("HEAD", oid("0"))] };
  expect([...says(done, []).values()]).toEqual(Array.from({ length: 4 }, () => "finished"));
  const closed = (how: string) => new Set(says({ ...building, human: [how] }, []).values());
  expect(closed("abandon")).toEqual(new Set(["ended: the session was abandoned"]));
  expect(closed("reject")).toEqual(new Set(["ended: its work was rejected"]));
});
