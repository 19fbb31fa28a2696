import { expect, test } from "vitest";
import type { RoleTurns } from "../../src/session/state/role-turns.ts";
import { TurnLedger } from "../../src/session/state/turn-ledger.ts";
import type { StatusFacts } from "../../src/workspace/session/status-facts.ts";
import { plainText } from "../../src/views/rows/row.ts";
import { paintRows } from "../../src/terminal/paint-rows.ts";
import { refusedNow } from "../../src/views/status/refused-now.ts";
import { turnEnding } from "../../src/views/timeline/render-turn.ts";
import { statusRows } from "../../src/views/status/status-rows.ts";
import { openMilestone } from "../../src/views/status/milestone-status.ts";
import { statusView } from "../../src/views/status/status-view.ts";
import { transcript } from "../engines-unit/events/transcripts.ts";
import { MemoryFiles } from "../rig/memory-files.ts";
import { factsOf, json, oid, type Story } from "../cli/session-states.ts";

const PLAN = json([
  { name: "Parser", tasks: ["a", "b"] },
  { name: "Printer", tasks: ["c"] },
]);
const HASH = "a".repeat(64);
const planned = [
  `plan.end unit=plan:b0:r0 seq=0 boundary=0 request=0 outcome=plan plan=${HASH} milestones=${PLAN}`,
];
const adopted = [`plan.adopt seq=0 plan=${HASH} request=0 milestones=${PLAN}`];
const parserBuilt = [
  ...adopted,
  `build.end unit=build:Parser:1 m=Parser outcome=milestone ticks=${json([{ m: "Parser", tasks: [1, 2] }])} commits=${oid("1")},${oid("2")} milestones=${json([{ name: "Parser", start: oid("0"), end: oid("2") }])}`,
];
const FINDING = {
  id: "COR-3fa2b1",
  level: "blocking",
  reviewer: "correctness",
  category: "Correctness",
  brief: "Takes nonsense for a number",
  file: "src/parse.js",
  line: 6,
  issue: "It does.",
  suggestion: "Refuse it.",
};
const found = `review.end unit=commit:${oid("1")} checkpoint=${oid("1")} outcome=reviewed findings=${json([FINDING])}`;
const inWindow: Story = {
  planner: planned,
  builder: parserBuilt,
  reviewer: [found],
  commits: [oid("1"), oid("2")],
};

function says(story: Story, role: string, alive?: Parameters<typeof factsOf>[1]) {
  const view = statusView(factsOf(story, alive));
  return view.roles.find((activity) => activity.role === role);
}

test("the open milestone is the first one that is not finished, with its ticks", () => {
  const openOf = (story: Story) => openMilestone(factsOf(story).state);
  expect(openOf({})).toBeUndefined();
  const partial = `build.end unit=build:Parser:1 m=Parser outcome=partial ticks=${json([{ m: "Parser", tasks: [2] }])} milestones=[] commits=${oid("1")}`;
  expect(openOf({ planner: planned, builder: [...adopted, partial] })).toEqual({
    name: "Parser",
    tasks: [
      { text: "a", isDone: false },
      { text: "b", isDone: true },
    ],
  });
  expect(openOf(inWindow)).toEqual({ name: "Printer", tasks: [{ text: "c", isDone: false }] });
});

test("before the first plan, all roles wait for the planner", () => {
  const begun: Story = { planner: ["unit.begin unit=plan:b0:r0"] };
  expect(says(begun, "planner")).toMatchObject({ state: "works", says: "is working on the plan" });
  expect(says(begun, "builder")).toMatchObject({
    state: "waits",
    says: "is waiting for the first plan",
  });
  expect(statusView(factsOf(begun)).owed).toEqual([{ role: "planner", what: ["the first plan"] }]);
});

test("the current milestone shows its progress", () => {
  const view = statusView(
    factsOf({
      planner: planned,
      builder: [
        ...adopted,
        `build.end unit=build:Parser:1 m=Parser outcome=partial ticks=${json([{ m: "Parser", tasks: [1] }])} commits=${oid("1")} milestones="[]"`,
        "unit.begin unit=build:Parser:2",
      ],
      commits: [oid("1")],
    }),
  );
  expect(view.phase).toBe("build");
  expect(view.milestones).toMatchObject([
    { name: "Parser", tasksDone: 1, tasks: 2, isFinished: false },
    { name: "Printer", tasksDone: 0, tasks: 1, isFinished: false },
  ]);
  expect(view.owed[0]).toEqual({ role: "builder", what: ['milestone "Parser", 1 task'] });
  expect(view.roles[1]?.says).toBe('is working on building "Parser" (attempt 2)');
});

test("a stalled milestone is shown with its attempts and the place of its hint", () => {
  const idle = (n: number) =>
    `build.end unit=build:Parser:${String(n)} m=Parser outcome=noprogress ticks="[]" commits=- milestones="[]"`;
  const hint = "hint.end unit=hint:Parser:2 m=Parser attempts=2 stalled=2 outcome=hint text=Look";
  const facts = factsOf({ planner: planned, builder: [...adopted, idle(1), idle(2), hint] });
  const policy = { ...facts.state.policy, stuck: { skip: 2, pause: 4 } };
  const view = statusView({ ...facts, state: { ...facts.state, policy } });
  expect(view.milestones[0]).toMatchObject({ stalled: 2, isSetAside: true });
  expect(view.owed[0]).toEqual({ role: "builder", what: ['milestone "Printer", 1 task'] });
  expect(view.hints).toEqual([
    { milestone: "Parser", stalled: 2, text: "Look", file: facts.home.stuckHint },
  ]);
  const text = plainText(statusRows(view));
  expect(text).toContain('[ ] "Parser" 0/2  set aside after 2 attempts');
  expect(text).toContain(`stuck hint for "Parser" after 2 attempts: ${facts.home.stuckHint}`);
});

test.each([
  ["a commit", `unit=commit:${oid("1")} checkpoint=${oid("1")}`],
  ["a milestone and its commits", `unit=review:Parser:${oid("1")} m=Parser checkpoint=${oid("1")}`],
])("%s whose review was given up does not count as reviewed", (_, what) => {
  const end = `review.end ${what} outcome=gaveup findings="[]" reason="no sense in it"`;
  const view = statusView(factsOf({ ...inWindow, reviewer: [end] }));
  expect(view.reviewed).toEqual({ commits: 0, of: 2 });
});

test("during the drain window, says who owes what, what is open and how long the builder waits", () => {
  const view = statusView(factsOf(inWindow));
  expect(view.reviewed).toEqual({ commits: 1, of: 2 });
  expect(view.owed).toEqual([
    { role: "planner", what: ["a check of the plan after 1 milestone"] },
    { role: "reviewer", what: ['a review of milestone "Parser"'] },
    { role: "tester", what: ['a test of milestone "Parser"'] },
  ]);
  expect(view.openItems).toMatchObject([
    { id: "COR-3fa2b1", isBlocking: true, attempts: 0, state: "open" },
  ]);
  expect(view.drainLeftMs).toBe(10 * 60_000);
  expect(view.roles[1]?.says).toBe(
    "is waiting for the planner, the reviewer, the tester, at most 10m more",
  );
  // No process is running that could stop waiting.
  const left = statusView(factsOf(inWindow, []));
  expect(left.roles[1]?.says).toBe("is waiting for the planner, the reviewer, the tester");
});

test("a fixed finding waits for its reviewer's verdict", () => {
  const close = "drain.close cause=timeout waiting=reviewer fix=COR-3fa2b1";
  const fix = `fix.end unit=fix:COR-3fa2b1:1 id=COR-3fa2b1 attempt=1 outcome=fixed sha=${oid("3")} by=correctness brief=x files="[]"`;
  const view = statusView(
    factsOf({
      ...inWindow,
      builder: [...parserBuilt, close, fix],
      commits: [oid("1"), oid("2"), oid("3")],
    }),
  );
  expect(view.openItems).toMatchObject([{ attempts: 1, state: "fixed" }]);
  expect(view.owed.find(({ role }) => role === "reviewer")?.what[0]).toBe(
    "a verdict on the fix of COR-3fa2b1",
  );
});

test("a question is shown with the command that answers it", () => {
  const asking: Story = {
    planner: [
      `plan.end unit=plan:b0:r0 seq=0 boundary=0 request=0 outcome=needs_input question=planner-1 ask="Which port?"`,
    ],
  };
  const view = statusView(factsOf(asking));
  expect(view.questions).toEqual([
    {
      role: "planner",
      id: "planner-1",
      ask: "Which port?",
      isBlocked: false,
      answer: 'wisp answer api planner-1 "<your answer>"',
    },
  ]);
  expect(view.roles[0]?.says).toBe("is waiting for your answer to planner-1");
  const answered = { ...asking, human: ["answer question=planner-1 text=8080"] };
  expect(statusView(factsOf(answered)).questions).toEqual([]);
});

test("a role whose process ended during a unit is interrupted", () => {
  const begun: Story = { planner: ["unit.begin unit=plan:b0:r0"] };
  expect(says(begun, "planner", ["supervisor"])).toMatchObject({
    state: "interrupted",
    isRunning: false,
    says: "was interrupted at the plan",
  });
});

test("a role that runs without a supervisor is unsupervised", () => {
  expect(says({}, "tester", ["tester"])).toMatchObject({ isRunning: true, isUnsupervised: true });
  expect(says({}, "tester")).toMatchObject({ isUnsupervised: false });
});

test("a role in a crash loop has failed, until it runs again", () => {
  const failed: Story = { supervisor: [`role.failed role=tester reason="crashed 5 times"`] };
  expect(says(failed, "tester", ["supervisor"])).toMatchObject({
    state: "failed",
    says: "failed for good: crashed 5 times",
  });
  expect(says(failed, "tester", ["supervisor", "tester"])?.state).toBe("waits");
});

/** A state with the turns of one role, as in its log. */
function turned(
  records: readonly Parameters<RoleTurns["apply"]>[0][],
  refusedNow?: StatusFacts["refusedNow"],
): StatusFacts {
  const ledger = new TurnLedger();
  records.forEach((record) => ledger.listener("reviewer").onRecord(record));
  const facts = factsOf(inWindow);
  const engines = { planner: [], builder: [], reviewer: [], tester: [] };
  const turns = { facts: ledger, engines, budget: { session: {}, milestone: {} } };
  return { ...facts, state: { ...facts.state, turns }, refusedNow };
}

const BEGIN = {
  kind: "turn.begin",
  ...{ time: "2026-11-20T12:00:00.000Z", unit: "commit:1", attempt: 1 },
  ...{ purpose: "review-commit", engine: "copilot", output: "o-1" },
} as const;
const REFUSED = { denied: 2, refused: "view on …/request.md; bash: cat x" } as const;

function ended(outcome: "ended" | "failed", fields: object = {}) {
  const { time, unit, output } = BEGIN;
  return { kind: "turn.end", time, unit, output, outcome, ...REFUSED, ...fields } as const;
}

const LINE = "copilot was refused 2 calls: view on …/request.md; bash: cat x";

test.each([
  ["faintly, of a turn that ended well", "ended", `\u001B[2m${LINE}`],
  ["highlighted, of a turn that failed", "failed", `\u001B[33m${LINE}`],
] as const)("shows refused calls below the role: %s", (_, outcome, line) => {
  const view = statusView(turned([BEGIN, ended(outcome)]));
  expect(view.roles[2]?.refused).toEqual({ engine: "copilot", ...REFUSED, outcome });
  expect(paintRows(statusRows(view), true)).toContain(line);
});

test("shows refused calls of the current turn instead of those of the last one", () => {
  const now = new Map([
    ["reviewer", { engine: "gemini", denied: 1, refused: "read_file" }],
  ] as const);
  const view = statusView(turned([BEGIN, ended("failed")], now));
  expect(view.roles[2]?.refused).toMatchObject({ engine: "gemini", outcome: "going on" });
  expect(plainText(statusRows(view))).toContain("gemini is refused 1 call: read_file");
});

test("reads refused calls of the current turn from its output", () => {
  const { state, home } = turned([BEGIN]);
  const files = new MemoryFiles();
  expect(refusedNow(files, home, state)).toEqual(new Map());
  files.write(`${home.turns}/o-1.out`, transcript("copilot-outside"));
  const refused =
    "view on …/request.md; bash: cat /outside/request.md; create on …/x.txt; and 2 more";
  expect(refusedNow(files, home, state)).toEqual(
    new Map([["reviewer", { engine: "copilot", denied: 5, refused }]]),
  );
});

test("the end of a turn names its refused calls", () => {
  const end = ended("ended", { reason: undefined });
  expect(turnEnding({ role: "reviewer", begin: BEGIN, end })?.text).toContain(
    "2 calls refused: view on …/request.md; bash: cat x",
  );
});

test("shows no refused calls after a turn without any", () => {
  const second = { ...BEGIN, output: "o-2" };
  const none = { denied: undefined, refused: undefined, output: "o-2" };
  const view = statusView(turned([BEGIN, ended("failed"), second, ended("ended", none)]));
  expect(view.roles[2]?.refused).toBeUndefined();
});

test("a unit that has to wait says why", () => {
  const waiting: Story = {
    planner: planned,
    builder: [
      ...adopted,
      "unit.begin unit=build:Parser:1",
      `unit.wait unit=build:Parser:1 reason="wisp/api is checked out in /elsewhere"`,
    ],
  };
  expect(says(waiting, "builder")).toMatchObject({
    state: "waits",
    says: 'building "Parser": wisp/api is checked out in /elsewhere',
  });
});

test("the end says how and why the session ended, and what to do", () => {
  const halt = "halt reason=no-progress explanation=none";
  const stuck = `done how=stuck head=${oid("2")} open=COR-3fa2b1 gaveup=- failed="[]" human=0 reason="COR-3fa2b1 could not be fixed"`;
  const view = statusView(factsOf({ ...inWindow, builder: [...parserBuilt, halt, stuck] }, []));
  expect(view.end).toEqual({ how: "stuck", reason: "COR-3fa2b1 could not be fixed" });
  expect(view.next).toEqual([
    "wisp resume api",
    'wisp findings dismiss COR-3fa2b1 --session api --why "<your reason>"',
  ]);
  expect(view.owed).toEqual([]);
});

test("counts ignored lines, with their files", () => {
  const path = "/repo/.wisp/sessions/api/logs/tester.log";
  const bad = { path, offsetBytes: 0, lengthBytes: 4, problem: "no time" };
  const view = statusView({ ...factsOf({}), quarantined: [bad, { ...bad, offsetBytes: 9 }] });
  expect(view.quarantined).toEqual({ lines: 2, files: [path] });
});

test("names tests that failed at the base, but not those that fail later", () => {
  const red = (failing: readonly string[]) =>
    `verify.result at=${oid("0")} tree=${oid("9")} command=c outcome=failed failing=${json(failing)}`;
  const redAtBase = (builder: readonly string[]) => {
    const view = statusView(factsOf({ planner: planned, builder: [...builder] }));
    return [view.redAtBase, plainText(statusRows(view))] as const;
  };
  const [base, text] = redAtBase([red(["old and red"]), ...adopted]);
  expect(base).toEqual({ failing: ["old and red"] });
  expect(text).toContain("1 test red before the work began, not blamed on any milestone: old");
  expect(redAtBase([...adopted, red(["new and red"])])[0]).toBeUndefined();
  const many = Array.from({ length: 9 }, (_, index) => `test ${String(index)}`);
  expect(redAtBase([red(many)])[1]).toContain("test 4 and 4 more");
});

test("a status fits on one screen, however many items are open", () => {
  const many = Array.from({ length: 60 }, (_, index) => ({
    ...FINDING,
    id: `COR-${String(100_000 + index)}`,
    brief: "long ".repeat(40),
  }));
  const review = `review.end unit=commit:${oid("1")} checkpoint=${oid("1")} outcome=reviewed findings=${json(many)}`;
  const text = plainText(statusRows(statusView(factsOf({ ...inWindow, reviewer: [review] }))));
  expect(text.split("\n").length).toBeLessThan(50);
  expect(text).toContain("and 49 more");
});

test("a status without colours is plain text", () => {
  const hostile = json([{ ...FINDING, brief: "a\u001b[2Jb\nc" }]);
  const review = `review.end unit=commit:${oid("1")} checkpoint=${oid("1")} outcome=reviewed findings=${hostile}`;
  const story = { ...inWindow, reviewer: [review] };
  const text = plainText(statusRows(statusView(factsOf(story))));
  expect(text.replaceAll("\n", "")).not.toMatch(/\p{Cc}/u);
  const coloured = paintRows(statusRows(statusView(factsOf(story))), true);
  expect(coloured).toContain("\u001b[");
  expect(coloured).not.toContain("\u001b[2J");
});

test("a milestone that reviewer or tester gave up on counts as neither reviewed nor tested", () => {
  const review = `review.end unit=review:Parser:${oid("2")} m=Parser checkpoint=${oid("2")} outcome=gaveup findings=[] reason=x`;
  const tested = `test.end unit=test:Parser:${oid("2")} reopens=0 m=Parser outcome=gaveup bugs=[] commits=- reason=x`;
  const milestoneOf = (story: Story) => statusView(factsOf(story)).milestones[0];
  const judged = { ...inWindow, reviewer: [review.replace("outcome=gaveup", "outcome=reviewed")] };
  expect(milestoneOf(judged)).toMatchObject({ isReviewed: true, isTested: false, gaveUp: [] });
  expect(milestoneOf({ ...inWindow, reviewer: [review], tester: [tested] })).toMatchObject({
    isReviewed: false,
    isTested: false,
    gaveUp: ["reviewer", "tester"],
  });
});
