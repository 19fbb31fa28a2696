import { expect, test } from "vitest";
import { explainDone, explainHalt } from "../../../src/agents/builder/endings.ts";
import type { BuilderStep } from "../../../src/session/steps/step.ts";
import { builder, finding, planner, reviewer, sha, tester } from "../../rig/records.ts";
import { stateOf } from "../memory-role.ts";

type Done = Extract<BuilderStep, { kind: "done" }>;

const done = (fields: Partial<Done>): Done => ({
  kind: "done",
  how: "stuck",
  open: [],
  gaveup: [],
  failed: [],
  human: 0,
  ...fields,
});

test("without a plan the explanation says why the planner gave up, and what to do", () => {
  const state = stateOf({
    planner: [
      planner.end({
        seq: 0,
        boundary: 0,
        outcome: "gaveup",
        reason: "Line 3 of the plan: no box.",
        reopens: 0,
      }),
    ],
  });
  const { reason, explanation } = explainHalt("no-plan", state);
  expect(reason).toBe("the planner gave up: there is no plan");
  expect(explanation).toContain("Line 3 of the plan: no box.");
  expect(explanation).toContain("wisp resume");
});

test("a reason without a full stop is separated from the advice", () => {
  const gaveup = { seq: 0, boundary: 0, outcome: "gaveup", reopens: 0 } as const;
  const reason = "was ended because it said nothing for 5 s";
  const { explanation } = explainHalt(
    "no-plan",
    stateOf({ planner: [planner.end({ ...gaveup, reason })] }),
  );
  expect(explanation).toBe(
    `${reason}. See logs/planner.log; fix the request or the planner's engine, then run wisp resume.`,
  );
});

test("a planner whose process failed is distinguished from one that gave up", () => {
  const { reason, explanation } = explainHalt("planner-failed", stateOf());
  expect(reason).toContain("process failed");
  expect(explanation).toContain("logs/supervisor.log");
});

test("a lack of progress is explained by the milestone, the attempts and the last trouble", () => {
  const trouble = (reason: string) => builder.build({ m: "One", outcome: "noprogress", reason });
  const state = stateOf({
    builder: [builder.adopt({ One: ["a"] }), trouble("x"), trouble("y"), trouble("tests fail")],
  });
  const { reason, explanation } = explainHalt("no-progress", state);
  expect(reason).toBe('no progress on milestone "One"');
  expect(explanation).toContain("3 attempts in a row");
  expect(explanation).toContain("tests fail");
  expect(explanation).not.toContain("undefined");
});

test("a red verify is told before the reason of the last attempt, whatever the attempts after it did", () => {
  const red = "the verify command fails at 1234: is thirty. The first: not ok 1 - is thirty";
  const attempt = (unit: string, outcome: "unverified" | "noprogress", reason: string) =>
    builder.build({ m: "One", unit: `build:One:${unit}`, outcome, reason });
  const idle = "the turn neither committed nor ticked anything";
  const records = [
    builder.adopt({ One: ["a"] }),
    attempt("1", "unverified", "older"),
    attempt("2", "unverified", red),
    attempt("3", "noprogress", idle),
    attempt("4", "noprogress", `${idle}. ${"y".repeat(900)}`),
  ];
  const { explanation } = explainHalt("no-progress", stateOf({ builder: records }));
  expect(explanation).toContain(`Attempt 2: ${red}. The last one: ${idle}`);
  expect(explanation).toContain("wisp resume");
  const last = explainHalt("no-progress", stateOf({ builder: records.slice(0, 3) })).explanation;
  expect(last).toContain(`The last one: ${red}.`);
  expect(last).not.toContain("Attempt 2");
});

test("long causes leave room for what to do, in the explanation and in the reason of the end", () => {
  const build = (unit: string, outcome: "unverified" | "noprogress") =>
    builder.build({
      m: "x".repeat(200),
      unit,
      outcome,
      reason: "z".repeat(1_000),
      output: "2026-11-20T12-02-00-000Z-verify-3f9c1e0a7b52",
    });
  const m = "x".repeat(200);
  const records = [builder.adopt({ [m]: ["a"] }), build("build:x:1", "unverified")];
  const state = stateOf({ builder: [...records, build("build:x:2", "noprogress")] });
  const halt = explainHalt("no-progress", state);
  const halted = stateOf({ builder: [{ ...builder.halt(halt.reason), ...halt }] });
  for (const text of [halt.explanation, explainDone(done({}), halted)])
    expect(text).toContain("then run wisp resume.");
});

test("what verify showed of an item's fixes is told before the reason of the last attempt", () => {
  const id = "COR-000001";
  const fix = (attempt: number, outcome: "failed" | "fixed", reason: string, output?: string) =>
    builder.fix({
      id,
      attempt,
      outcome,
      reason,
      output,
      sha: outcome === "fixed" ? sha(2) : undefined,
    });
  const found = reviewer.commit(1, { findings: [finding(id)] });
  const red = "verify is worse: is thirty";
  const ends = [
    fix(1, "failed", red, "v1"),
    fix(2, "failed", red, "v2"),
    fix(3, "failed", "crashed"),
  ];
  expect(explainDone(done({ open: [id] }), stateOf({ reviewer: [found], builder: ends }))).toBe(
    `Still open after all its attempts: ${id}. ${id}: ${red} (logs/turns/v2.out). The last attempt: crashed.`,
  );
  const refused = reviewer.verify(id, "reopened", { attempt: 2, reason: "still off by one" });
  const later = [fix(1, "failed", red, "v1"), fix(2, "fixed", "done"), fix(3, "failed", "crashed")];
  const settled = stateOf({ reviewer: [found, refused], builder: later });
  expect(explainDone(done({ open: [id] }), settled)).toBe(
    `Still open after all its attempts: ${id}. ${id}: still off by one. The last attempt: crashed.`,
  );
});

test("a bug whose fixes left it as it is keeps what its command showed", () => {
  const id = "BUG-000001";
  const fix = (attempt: number) =>
    builder.fix({ id, attempt, outcome: "nochange", sha: sha(2), reason: "nothing to do" });
  const opened = tester.final(1, { bugs: [finding(id)] });
  const refused = tester.verify(id, "reopened", { attempt: 2, reason: "verify is still red: a" });
  const crashed = builder.fix({ id, attempt: 3, outcome: "failed", reason: "crashed" });
  const state = stateOf({ tester: [opened, refused], builder: [fix(1), fix(2), crashed] });
  expect(explainDone(done({ open: [id] }), state)).toContain(
    `${id}: verify is still red: a. The last attempt: crashed.`,
  );
});

test("with stages the explanation names where the session paused, what is set aside, and what to do", () => {
  const idle = (m: string) => builder.build({ m, outcome: "noprogress", reason: "it is shut" });
  const records = [
    builder.adopt({ One: ["a"], Two: ["b"] }),
    idle("One"),
    idle("One"),
    idle("Two"),
  ];
  const state = stateOf({ builder: records });
  const policy = { ...state.policy, stuck: { skip: 1, pause: 2 } };
  const { reason, explanation } = explainHalt("no-progress", { ...state, policy });
  expect(reason).toBe('paused after 2 attempts at milestone "One"');
  expect(explanation).toContain("in TASKS.md");
  expect(explanation).toContain("wisp resume");
  expect(explanation).toContain('Set aside as well: "Two".');
  expect(explanation).toContain("The last one: it is shut");
});

test("hostile names and reasons stay one bounded line", () => {
  const name = `A\n\u001b[2J${"x".repeat(3_000)}`;
  const reason = `one\ntwo ${"y".repeat(900)}`;
  const state = stateOf({
    builder: [
      builder.adopt({ [name]: ["a"] }),
      builder.build({ m: name, unit: "build:A:1", outcome: "noprogress", reason }),
    ],
  });
  const halt = explainHalt("no-progress", state);
  for (const text of [halt.reason, halt.explanation]) {
    expect(text).toMatch(/^[^\n\u001b]{1,1000}$/);
  }
});

test("the reason of a complete session says that it is complete", () => {
  expect(explainDone(done({ how: "complete" }), stateOf())).toContain("nothing is open");
});

test("the reason of a stuck session names everything that prevents its completion", () => {
  const state = stateOf({ builder: [builder.halt("no progress")] });
  const text = explainDone(done({ open: ["COR-000001", "BUG-000002"], failed: ["tester"] }), state);
  expect(text).toBe(
    "no progress. See the log. Still open after all their attempts: COR-000001, BUG-000002. " +
      "The tester failed: its process ended again and again. See logs/supervisor.log.",
  );
});

test("the reason of a stuck session names nothing that does not apply", () => {
  expect(explainDone(done({ failed: ["tester"] }), stateOf())).toBe(
    "The tester failed: its process ended again and again. See logs/supervisor.log.",
  );
});

test("a unit that gave up is named by its role and milestone, with the reason and what to do, and without its key", () => {
  const state = stateOf({
    reviewer: [
      reviewer.milestone("First", { outcome: "gaveup", reason: "exited with code 1: no quota" }),
    ],
    tester: [tester.test("First", { outcome: "gaveup", reason: "said nothing" })],
  });
  expect(explainDone(done({ gaveup: ["mFirst", "mFirst"] }), state)).toBe(
    'The reviewer gave up on the review of milestone "First": exited with code 1: no quota. ' +
      'The tester gave up on the test of milestone "First": said nothing. ' +
      "See logs/reviewer.log and logs/tester.log; fix what is in the way, then run wisp resume.",
  );
});

test("commits, the final pass and a plan that were given up on are named, too, and beyond the limit they are counted", () => {
  const gaveUp = { outcome: "gaveup", reason: "it crashed" } as const;
  const commits = stateOf({ reviewer: [reviewer.commit(1, gaveUp)] });
  expect(explainDone(done({ gaveup: ["c"] }), commits)).toContain(
    `The reviewer gave up on the review of commit ${sha(1).slice(0, 10)}`,
  );
  const final = stateOf({ tester: [tester.final(1, gaveUp)] });
  expect(explainDone(done({ gaveup: ["final 1"] }), final)).toContain(
    "The tester gave up on the final pass: it crashed.",
  );
  const many = stateOf({ tester: ["A", "B", "C", "D"].map((m) => tester.test(m, gaveUp)) });
  expect(explainDone(done({ gaveup: ["mA", "mB", "mC", "mD"] }), many)).toContain("So did 2 more.");
});

test("items that --no-fix leaves open are listed with every way to continue", () => {
  const items = [finding("COR-000001"), finding("SEC-000002")];
  const state = stateOf({ reviewer: [reviewer.commit(1, { findings: items })] });
  const noFix = { ...state, policy: { ...state.policy, noFix: true } };
  const open = items.map(({ id }) => id);
  expect(explainDone(done({ open }), noFix)).toBe(
    "With --no-fix 2 findings are left to you: COR-000001, SEC-000002. " +
      "Have them fixed with wisp resume --fix, which also looks at what you fixed and committed yourself; " +
      "or close them with wisp findings dismiss.",
  );
});
