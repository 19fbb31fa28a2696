import { expect, test } from "vitest";
import { allow, wispState } from "../../src/workspace/session/session-stage.ts";
import {
  SESSION_EVENTS,
  transition,
  WISP_STATES,
} from "../../src/session/rules/session-machine.ts";
import type { WispState } from "../../src/session/rules/session-machine.ts";
import { factsOf, json, oid, type Story } from "../cli/session-states.ts";

const MILESTONES = json([{ name: "Parser", tasks: ["a"] }]);
const PLAN = `plan=${"a".repeat(64)} request=0 milestones=${MILESTONES}`;
const planner = [
  `plan.end unit=plan:b0:r0 seq=0 boundary=0 request=0 outcome=plan plan=${"a".repeat(64)} milestones=${MILESTONES}`,
];
const adopt = `plan.adopt seq=0 ${PLAN}`;
const build = (outcome: string, rest: string) =>
  `build.end unit=build:Parser:1 m=Parser outcome=${outcome} ${rest}`;
const asking = build(
  "needs_input",
  `ticks="[]" commits=- milestones="[]" question=builder-1 ask="Which?"`,
);
const built = build(
  "milestone",
  `ticks=${json([{ m: "Parser", tasks: [1] }])} commits=${oid("1")} milestones=${json([{ name: "Parser", start: oid("0"), end: oid("1") }])}`,
);
const final = `final.open n=1 at=${oid("1")}`;
const ended = (how: string) =>
  `done how=${how} head=${oid("1")} open=- gaveup=- failed="[]" human=0 reason="so it is"`;

const running: Story = { planner, builder: [adopt] };
const complete: Story = {
  planner,
  builder: [adopt, built, final, ended("complete")],
  commits: [oid("1")],
};

const STORIES: Partial<Readonly<Record<WispState, Story>>> = {
  new: {},
  planning: { planner: ["unit.begin unit=plan:b0:r0"] },
  building: running,
  // Everything is built, and the final pass is not requested yet.
  final: {
    planner,
    builder: [adopt, built, "drain.close cause=all waiting=- fix=-"],
    commits: [oid("1")],
  },
  resuming: { ...complete, human: ["dismiss id=COR-3fa2b1 why=fine"] },
  window: { planner, builder: [adopt, built], commits: [oid("1")] },
  paused: { ...running, human: ["pause"] },
  asks: { planner, builder: [adopt, asking] },
  failed: { ...running, supervisor: ['role.failed role=builder reason="it crashed"'] },
  stuck: { ...complete, builder: [adopt, built, final, ended("stuck")] },
  stopped: { ...running, human: ["stop"] },
  complete,
  approved: { ...complete, human: ["approve"] },
  taken: { ...complete, human: [`done at=${oid("1")}`] },
  abandoned: { ...running, human: ["abandon"] },
};

test.each(Object.entries(STORIES))(
  "a session in the state %s accepts exactly the events of the table",
  (name, story) => {
    const { state, nowMs } = factsOf(story);
    expect(wispState(state, nowMs)).toBe(name);
    const of = { id: "api", state, nowMs };
    const stage = wispState(state, nowMs);
    for (const by of SESSION_EVENTS) {
      const next = transition(WISP_STATES[stage].name, by);
      const closed = { kind: "session-closed", session: "api", how: state.human.closed?.how };
      const refused = next.ok ? undefined : { ...next.failure, session: "api", state: stage };
      const failure = state.human.closed === undefined ? refused : closed;
      expect({ by, ...allow(by, of) }).toEqual(
        next.ok ? { by, ok: true, value: undefined } : { by, ok: false, failure },
      );
    }
  },
);

test("a session is not new once its planner has asked, so the question can be answered", () => {
  const asked = `plan.end unit=plan:b0:r0 seq=0 boundary=0 request=0 outcome=needs_input question=planner-1 ask="Which port?"`;
  const failed = 'role.failed role=planner reason="it crashed"';
  const { state, nowMs } = factsOf({ planner: [asked], supervisor: [failed] });
  expect(wispState(state, nowMs)).toBe("planning");
  expect(allow("answer", { id: "api", state, nowMs })).toEqual({ ok: true, value: undefined });
});
