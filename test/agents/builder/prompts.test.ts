import { join } from "node:path";
import { expect, test } from "vitest";
import { z } from "zod";
import { askForHint } from "../../../src/agents/builder/hint-prompt.ts";
import { askToBuild, askToFix } from "../../../src/agents/builder/prompts.ts";
import { DOCUMENT_BYTES_MAX } from "../../../src/base/limits.ts";
import type { BuilderRecord } from "../../../src/fs-protocol/records/builder-log.ts";
import type { Finding } from "../../../src/fs-protocol/records/finding.ts";
import { encodeFindingsBlock } from "../../../src/fs-protocol/findings/findings-block.ts";
import { encodeUnit } from "../../../src/fs-protocol/records/unit-key.ts";
import { builder, finding, human, reviewer, sha, timeAt } from "../../rig/records.ts";
import { memoryRole, stateOf, type Logs } from "../memory-role.ts";
import { PASSED } from "../turns.ts";

const { context, ports } = memoryRole("builder", () => PASSED);
const FOLDER = join(context.session.state, "builder", "turn");
const REQUEST = "Make a and b.\n";
ports.files.write(context.home.request, REQUEST);
const PLAN = builder.adopt({ One: ["[feature] Add a", "Test a"], Two: ["Add b"] });

const TASKS = [
  "## Milestone: One",
  "",
  "- [ ] [feature] Add a",
  "  - cents by src/round.js",
  "  - RangeError for no months",
  "- [x] Test a",
  "",
].join("\n");

function asked(logs: Logs) {
  const milestone = { name: "One", tasks: ["[feature] Add a", "Test a"] };
  const step = { kind: "build", attempt: 2, stalled: 0, unit: "build:One:2", milestone } as const;
  return askToBuild(context, stateOf(logs), step, { file: "/tasks", text: TASKS });
}

function build(logs: Logs): unknown {
  return JSON.parse(asked(logs).prompt);
}

test("a build prompt lists the milestone's tasks with their steps and the boxes that are accepted already", () => {
  expect(build({ builder: [PLAN] })).toMatchObject({
    template: "build",
    milestone: "One",
    tasks: [
      "- [ ] [feature] Add a",
      "  - cents by src/round.js",
      "  - RangeError for no months",
      "- [x] Test a",
    ].join("\n"),
    tasks_file: "/tasks",
    verify: "No verify command is known for this project: find out how its tests are run.",
    attempt: "2",
    trouble: "",
    answers: "",
  });
});

test("the turn's folder of a build contains only the request, whose path the prompt names", () => {
  const { folder } = asked({ builder: [PLAN] });
  expect(folder.directory).toBe(FOLDER);
  expect(folder.files.map(({ name, bytes }) => [name, Buffer.from(bytes).toString()])).toEqual([
    ["request.md", REQUEST],
  ]);
  expect(build({ builder: [PLAN] })).toMatchObject({
    request: join(FOLDER, "request.md"),
    files: [
      "Files for you to read, outside the repository:",
      "",
      `- \`${join(FOLDER, "request.md")}\`: the request`,
    ].join("\n"),
  });
});

test("a build prompt explains why the previous attempt did not count", () => {
  const reason = "the verify command fails";
  const logs = { builder: [PLAN, builder.build({ m: "One", outcome: "unverified", reason })] };
  expect(build(logs)).toHaveProperty(
    "trouble",
    "The attempt before this one did not count (unverified): the verify command fails",
  );
});

/** What the prompt says of the attempts before. */
function troubleIn(logs: Logs): string {
  return z.object({ trouble: z.string() }).parse(build(logs)).trouble;
}

/** The records of a build attempt that left verify red, and what it printed. */
function redAttempt(attempt: number, output: string): readonly BuilderRecord[] {
  const printed = `not ok 1 - is thirty\n  expected: 30\n${"ok - other\n".repeat(500)}npm exited with 1\n`;
  ports.files.write(join(context.home.turns, `${output}.out`), printed);
  const verify = { at: sha(attempt), tree: sha(2), command: "c0ffee", setup: "s" } as const;
  const failing = ["is thirty", "was red before"];
  return [
    { kind: "verify.result", time: timeAt(0), ...verify, outcome: "failed", failing, output },
    builder.build({
      m: "One",
      unit: `build:One:${String(attempt)}`,
      outcome: "unverified",
      reason: "the verify command fails at 1234: is thirty",
      output,
    }),
  ];
}

const BASE_RED: BuilderRecord = {
  kind: "verify.result",
  time: timeAt(0),
  at: sha(0),
  tree: sha(0),
  command: "c0ffee",
  outcome: "failed",
  failing: ["was red before"],
  output: "verify-base",
};

const REPORT = [
  "Tests that fail:\n- is thirty",
  "The first of them:\n\n    not ok 1 - is thirty\n      expected: 30",
].join("\n\n");

test("a build prompt tells of a red verify what failed first, and has all of its output in the turn's folder", () => {
  const logs = { builder: [BASE_RED, PLAN, ...redAttempt(1, "verify-red")] };
  const trouble = troubleIn(logs);
  const said = `The attempt before this one did not count (unverified): the verify command is worse with it.\n\n${REPORT}`;
  expect(trouble.slice(0, said.length)).toBe(said);
  expect(trouble).toContain("npm exited with 1");
  expect(trouble.endsWith(`The output: \`${join(FOLDER, "verify.out")}\`.`)).toBe(true);
  const file = asked(logs).folder.files.find(({ name }) => name === "verify.out");
  expect(Buffer.from(file?.bytes ?? []).toString()).toMatch(
    /^not ok 1 - is thirty\n[^]*exited with 1\n$/,
  );
});

test("a build prompt still tells of the red verify after an attempt that did nothing, or only a part", () => {
  const red = [BASE_RED, PLAN, ...redAttempt(1, "verify-red")];
  const idle = builder.build({
    m: "One",
    unit: "build:One:2",
    outcome: "noprogress",
    reason: "idle",
  });
  const part = builder.build({ m: "One", unit: "build:One:2", outcome: "partial" });
  const [afterIdle, afterPart] = [idle, part].map((end) => troubleIn({ builder: [...red, end] }));
  for (const trouble of [afterIdle, afterPart]) {
    expect(trouble).toContain(
      `When verify last ran for this milestone, it was worse:\n\n${REPORT}`,
    );
  }
  expect(afterIdle?.endsWith("The attempt before this one did not count (noprogress): idle")).toBe(
    true,
  );
});

test("if the output of the red verify is gone, its reason on record is told", () => {
  const red = redAttempt(1, "verify-gone");
  const idle = builder.build({
    m: "One",
    unit: "build:One:2",
    outcome: "noprogress",
    reason: "idle",
  });
  ports.files.write(join(context.home.turns, "verify-gone.out"), "");
  expect(build({ builder: [PLAN, ...red, idle] })).toHaveProperty(
    "trouble",
    "When verify last ran for this milestone, it was worse:\n\nthe verify command fails at 1234: is thirty\n\n" +
      "The attempt before this one did not count (noprogress): idle",
  );
});

const HINT_TEXT = "The door is locked.\n\nTake the window.";
const HINT: BuilderRecord = {
  kind: "hint.end",
  time: timeAt(0),
  unit: "hint:One:2",
  m: "One",
  attempts: 2,
  stalled: 2,
  outcome: "hint",
  text: HINT_TEXT,
};

test("a build prompt contains the latest hint for its milestone, below the reason why the previous attempt did not count", () => {
  const idle = builder.build({ m: "One", outcome: "noprogress", reason: "it is shut" });
  expect(build({ builder: [PLAN, idle, idle, HINT] })).toHaveProperty(
    "trouble",
    "The attempt before this one did not count (noprogress): it is shut\n\n" +
      "After 2 attempts without progress, a turn investigated what is in the way, and changed nothing. " +
      "Take it as a hint, and check it:\n\nThe door is locked.\n\nTake the window.",
  );
});

test("a hint's prompt names the attempts, their outputs, the red verify, and the previous hint", () => {
  const attempt = (
    number: number,
    outcome: "noprogress" | "unverified",
  ): readonly BuilderRecord[] => [
    builder.begin(`build:One:${String(number)}`),
    {
      kind: "turn.begin",
      time: timeAt(0),
      unit: `build:One:${String(number)}`,
      purpose: "build",
      attempt: number,
      engine: "script",
      output: `turn-${String(number)}`,
    },
    builder.build({ m: "One", unit: `build:One:${String(number)}`, outcome, reason: "it is shut" }),
  ];
  const red: BuilderRecord = {
    kind: "verify.result",
    time: timeAt(0),
    at: sha(1),
    tree: sha(2),
    command: "c0ffee",
    outcome: "failed",
    output: "verify-1",
  };
  const logs = {
    builder: [PLAN, ...attempt(1, "noprogress"), red, ...attempt(2, "unverified"), HINT],
  };
  const milestone = { name: "One", tasks: ["[feature] Add a", "Test a"] };
  const step = { kind: "hint", milestone, attempts: 2, stalled: 2, unit: "hint:One:2" } as const;
  const long = "x".repeat(DOCUMENT_BYTES_MAX + 10);
  const outputs = { "turn-1": "one", "turn-2": `${long}two`, "verify-1": "red" };
  for (const [name, text] of Object.entries(outputs)) {
    ports.files.write(join(context.home.turns, `${name}.out`), text);
  }
  const { prompt, folder } = askForHint(context, stateOf(logs), step);
  const output = (name: string) => `\`${join(FOLDER, name)}\``;
  const laid = folder.files.map(({ name, bytes }) => [name, Buffer.from(bytes).toString()]);
  expect(Object.fromEntries(laid)).toEqual({
    "request.md": REQUEST,
    "attempt-1.out": "one",
    "attempt-2.out": `${long}two`.slice(-DOCUMENT_BYTES_MAX),
    "verify.out": "red",
  });
  const told: unknown = JSON.parse(prompt);
  expect(told).toMatchObject({
    template: "stuck-hint",
    count: "2",
    tasks: "- [ ] [feature] Add a\n- [ ] Test a",
    attempts:
      `- Attempt 1 (noprogress): it is shut. Its output: ${output("attempt-1.out")}.\n` +
      `- Attempt 2 (unverified): it is shut. Its output: ${output("attempt-2.out")}.`,
    verify:
      "No verify command is known for this project: find out how its tests are run. " +
      `When it last ran for this milestone, it was worse:\n\nThe end of the output:\n\n    red\n\n` +
      `The output: ${output("verify.out")}.`,
    hint: `An earlier look at it, which did not help, said:\n\n${HINT_TEXT}`,
  });
});

test("a build prompt does not contain the trouble of another milestone", () => {
  const reason = "it failed";
  const logs = { builder: [PLAN, builder.build({ m: "Two", outcome: "noprogress", reason })] };
  expect(build(logs)).toHaveProperty("trouble", "");
});

test("a build prompt contains the answer to the question that its attempt asked", () => {
  const logs: Logs = {
    builder: [
      PLAN,
      builder.build({
        m: "One",
        unit: "build:One:2",
        outcome: "needs_input",
        question: "builder-1",
        ask: "Which port?",
      }),
    ],
    human: [human.answer("builder-1", "80")],
  };
  expect(build(logs)).toHaveProperty("answers", "You asked: Which port?\nThe answer: 80");
});

const COR = finding("COR-000001", { file: "a.js", line: 3, command: "npm test" });

function fix(logs: Logs, findings: readonly Finding[] = [COR]): unknown {
  const state = stateOf(logs);
  const attempt = (state.builder.fixes.get(COR.id)?.length ?? 0) + 1;
  const ids = findings.map(({ id }) => id);
  const unit = encodeUnit({ kind: "fix", ids, attempt });
  return JSON.parse(askToFix(context, state, { unit, attempt, findings }).prompt);
}

test("a fix prompt contains the attempt, and the finding as PROGRESS.txt will have it if that is not up to date", () => {
  expect(fix({ reviewer: [reviewer.commit(1, { findings: [COR] })] })).toMatchObject({
    template: "fix",
    what: "this one finding",
    id: COR.id,
    attempt: "1",
    trouble: "",
    item: [
      "[Review] 2026-11-20 12:00 UTC - correctness (blocking)",
      "1. **COR-000001**: Correctness - It is wrong",
      "   - File: a.js:3",
      "   - Issue: It is wrong.",
      "   - Suggestion: Make it right.",
      "   - Command: npm test",
    ].join("\n"),
  });
});

test("a fix prompt explains why the last attempt failed, and why the last fix was reopened", () => {
  const logs: Logs = {
    reviewer: [
      reviewer.commit(1, { findings: [COR] }),
      reviewer.verify(COR.id, "reopened", { reason: "still off by one" }),
    ],
    builder: [
      builder.fix({ id: COR.id, attempt: 1, outcome: "fixed", sha: sha(2) }),
      builder.fix({ id: COR.id, attempt: 2, outcome: "failed", reason: "verify is worse" }),
    ],
  };
  expect(fix(logs)).toMatchObject({
    attempt: "3",
    trouble:
      "The last attempt failed: verify is worse\nThe last fix was not accepted: still off by one",
  });
});

test("a fix prompt does not mention a failure before the last success", () => {
  const logs: Logs = {
    reviewer: [reviewer.commit(1, { findings: [COR] })],
    builder: [
      builder.fix({ id: COR.id, attempt: 1, outcome: "failed", reason: "crashed" }),
      builder.fix({ id: COR.id, attempt: 2, outcome: "nochange", sha: sha(2) }),
    ],
  };
  expect(fix(logs)).toHaveProperty("trouble", "");
});

test("a fix prompt contains the answer to the question that its attempt asked", () => {
  const question = { question: "builder-1", ask: "Round up?" };
  const logs: Logs = {
    reviewer: [reviewer.commit(1, { findings: [COR] })],
    builder: [builder.fix({ id: COR.id, attempt: 1, outcome: "needs_input", ...question })],
    human: [human.answer("builder-1", "Yes")],
  };
  expect(fix(logs)).toHaveProperty("answers", "You asked: Round up?\nThe answer: Yes");
});

const SEC = finding("SEC-000002", { file: "b.js", line: 1 });

/** PROGRESS.txt after a review that found both. */
function reviewed(findings: readonly Finding[]): string {
  const time = "2026-11-20T12:00:00.000Z";
  return encodeFindingsBlock({ time, reviewer: "correctness", level: "blocking", findings });
}

test("FR-009: a fix prompt takes the finding from its last block in PROGRESS.txt", () => {
  const old = reviewed([finding(COR.id, { brief: "An older word for it" })]);
  ports.files.write(context.home.progress, `${old}${reviewed([SEC, COR])}`);
  expect(fix({ reviewer: [reviewer.commit(1, { findings: [COR] })] })).toHaveProperty(
    "item",
    [
      "[Review] 2026-11-20 12:00 UTC - correctness (blocking)",
      "2. **COR-000001**: Correctness - It is wrong",
      "   - File: a.js:3",
      "   - Issue: It is wrong.",
      "   - Suggestion: Make it right.",
      "   - Command: npm test",
    ].join("\n"),
  );
  ports.files.write(context.home.progress, "");
});

test("the prompt of a batch contains the block of each finding, and why the last fix of each was reopened", () => {
  ports.files.write(context.home.progress, reviewed([COR, SEC]));
  const both = { id: COR.id, also: [{ id: SEC.id, brief: "It is wrong" }], attempt: 1 };
  const logs: Logs = {
    reviewer: [
      reviewer.commit(1, { findings: [COR, SEC] }),
      reviewer.verify(COR.id, "reopened", { reason: "still off by one" }),
      reviewer.verify(SEC.id, "reopened", { reason: "still logged" }),
    ],
    builder: [builder.fix({ ...both, outcome: "fixed", sha: sha(2) })],
  };
  const prompt = fix(logs, [COR, SEC]);
  expect(JSON.stringify(prompt)).toMatch(/\*\*COR-000001\*\*.*\*\*SEC-000002\*\*/);
  expect(prompt).toMatchObject({
    what: "these 2 findings together",
    id: "COR-000001, SEC-000002",
    attempt: "2",
    trouble: [
      "The last fix of COR-000001 was not accepted: still off by one",
      "The last fix of SEC-000002 was not accepted: still logged",
    ].join("\n"),
  });
  ports.files.write(context.home.progress, "");
});
