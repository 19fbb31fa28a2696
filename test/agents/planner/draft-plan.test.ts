import { GitFailure } from "../../../src/base/ports/repo.ts";
import { expect, test } from "vitest";
import { attemptUnit } from "../../../src/work/unit.ts";
import { draftPlan } from "../../../src/agents/planner/draft-plan.ts";
import { fail } from "../../../src/base/result.ts";
import type { TurnOutcome } from "../../../src/engines/engine.ts";
import type { PlannerStep } from "../../../src/session/steps/step.ts";
import { builder, finding, human, planner, reviewer, sha } from "../../rig/records.ts";
import { fakeClone } from "../fake-clone.ts";
import { memoryRole, stateOf, type Logs, type MemoryRole } from "../memory-role.ts";
import { said } from "../turns.ts";

type PlanStep = Extract<PlannerStep, { kind: "plan" }>;

const FILE = "/state/demo/planner/tasks/TASKS.md";
const DONE = said("");

function planText(milestones: Readonly<Record<string, number | readonly string[]>>): string {
  return Object.entries(milestones)
    .map(([name, tasks]) => {
      const texts =
        typeof tasks === "number" ? Array.from({ length: tasks }, (_, n) => `Task ${n}`) : tasks;
      return `## Milestone: ${name}\n\n${texts.map((text) => `- [ ] ${text}`).join("\n")}\n`;
    })
    .join("\n");
}

/** A turn: the text that it writes (undefined: none), and how it ends. */
interface Turn {
  readonly writes?: string;
  readonly ends?: TurnOutcome;
}

/** A planner with these turns, in order. */
function planning(turns: readonly Turn[], logs: Logs = {}, how: PlanStep["how"] = "first") {
  const clone = fakeClone("/state/demo/planner/clone");
  const found: string[] = [];
  const role: MemoryRole<"planner"> = memoryRole(
    "planner",
    ({ tasksFile = "" }) => {
      found.push(role.ports.files.textOf(tasksFile));
      const { writes, ends = DONE } = turns[role.asked.length - 1] ?? {};
      if (writes !== undefined) role.ports.files.write(tasksFile, writes);
      return ends;
    },
    { clone },
  );
  const state = stateOf(logs);
  const unit = "plan:b0:r0";
  const step: PlanStep = { kind: "plan", unit, boundary: 0, request: 0, how, reopens: 0 };
  const draft = (attempt = 1, lastFailure?: string) =>
    draftPlan(role.context, state, step, { number: attempt, lastFailure });
  const prompts = () =>
    role.asked.map(({ prompt }): unknown => JSON.parse(prompt.split("\n\n")[0] ?? ""));
  return { ...role, clone, found, draft, step, state, prompts };
}

/** The recorded warnings; asking again is recorded, too. */
const warningsOf = (role: Pick<ReturnType<typeof planning>, "recordsOf">) =>
  role
    .recordsOf("note")
    .map(({ text }) => text)
    .filter((text) => !text.startsWith("asks again: "));

test("a valid plan is accepted as it was written", async () => {
  const text = `Some words.\n\n${planText({ One: 5, Two: 1 })}`;
  const role = planning([{ writes: text }]);
  const drafted = await role.draft();
  expect(drafted).toEqual({
    kind: "done",
    value: {
      kind: "plan",
      text,
      milestones: [
        { name: "One", tasks: ["Task 0", "Task 1", "Task 2", "Task 3", "Task 4"] },
        { name: "Two", tasks: ["Task 0"] },
      ],
    },
  });
  expect(role.asked).toHaveLength(1);
  expect(warningsOf(role)).toEqual([]);
});

test("the planner is asked once about an oversized milestone, with its name and size, and the draft is kept", async () => {
  const large = planText({ Large: 7, Small: 1, Huge: 9 });
  const role = planning([{ writes: large }, { writes: planText({ One: 4, Two: 3 }) }]);
  const drafted = await role.draft();
  expect(drafted.kind === "done" && drafted.value.kind === "plan" && drafted.value.text).toBe(
    planText({ One: 4, Two: 3 }),
  );
  const [first, second] = role.asked;
  expect([first?.ask, second?.ask]).toEqual([1, 2]);
  expect(second?.attempt).toBe(1);
  expect(role.prompts()[1]).toHaveProperty(
    "remark",
    "Milestone 'Large' has 7 tasks. Split it into smaller milestones of at most 5 tasks each.\n" +
      "Milestone 'Huge' has 9 tasks. Split it into smaller milestones of at most 5 tasks each.",
  );
  expect(role.found).toEqual(["", large]);
  const [note] = role.recordsOf("note");
  expect(note?.text.startsWith("asks again: Milestone 'Large' has 7 tasks.")).toBe(true);
  expect(warningsOf(role)).toEqual([]);
});

test("a milestone that is still oversized is noted and accepted, without asking again", async () => {
  const role = planning([{ writes: planText({ Large: 7 }) }, { writes: planText({ Large: 6 }) }]);
  const drafted = await role.draft();
  expect(drafted.kind === "done" && drafted.value.kind).toBe("plan");
  expect(role.asked).toHaveLength(2);
  expect(warningsOf(role)).toEqual(['milestone "Large" still has 6 tasks; going on with it']);
});

test.each<[string, Turn]>([
  ["is no longer a plan", { writes: "I am sorry.\n" }],
  ["crashed", { ends: { kind: "failed", reason: "exit 1" } }],
  ["asks a person", { ends: { kind: "blocked", question: "How?" } }],
])(
  "a second answer that %s leaves the first draft in force, with the warning",
  async (_, second) => {
    const first = planText({ Large: 7 });
    const role = planning([{ writes: first }, second]);
    const drafted = await role.draft();
    expect(drafted.kind === "done" && drafted.value.kind === "plan" && drafted.value.text).toBe(
      first,
    );
    expect(warningsOf(role)).toEqual(['milestone "Large" still has 7 tasks; going on with it']);
  },
);

test("a stop while the planner is asked again is a stop", async () => {
  const role = planning([{ writes: planText({ Large: 7 }) }, { ends: { kind: "stopped" } }]);
  expect(await role.draft()).toEqual({ kind: "stopped" });
  expect(warningsOf(role)).toEqual([]);
});

test("a plan that does not parse is a failed attempt, whose reason is in the next prompt", async () => {
  const role = planning([
    { writes: "## Milestone: One\n\nNo box at all.\n" },
    { writes: planText({ One: 1 }) },
  ]);
  const { step } = role;
  const end = await attemptUnit(role.context, step.unit, undefined, role.draft);
  expect(end.kind === "done" && end.value.kind).toBe("plan");
  const [failed] = role.recordsOf("attempt.failed");
  expect(failed?.reason).toMatch(/^Line 1 of the plan: /);
  expect(role.prompts()[0]).toHaveProperty("remark", "");
  expect(role.prompts()[1]).toHaveProperty("remark", failed?.reason);
  expect(role.asked.map(({ attempt, ask }) => [attempt, ask])).toEqual([
    [1, 1],
    [2, 1],
  ]);
});

test("the tools that the engine was refused are named with the reason of the failure", async () => {
  const denials = [
    { tool: "view", input: `{"path":"/srv/s/request.md"}` },
    { tool: "bash", input: `{"command":"cat /srv/s/request.md"}` },
  ];
  const role = planning([
    { writes: "## Milestone: One\n\nNo box at all.\n", ends: { ...DONE, denials } },
    { writes: planText({ One: 1 }) },
  ]);
  await attemptUnit(role.context, role.step.unit, undefined, role.draft);
  const [failed] = role.recordsOf("attempt.failed");
  const refused = "view on …/request.md; bash: cat /srv/s/request.md";
  expect(failed?.reason).toMatch(/^Line 1 of the plan: /);
  expect(failed?.reason.split(". ").at(-1)).toBe(`script was refused: ${refused}`);
  expect(role.recordsOf("turn.end")[0]).toMatchObject({ denied: 2, refused });
});

test("a new attempt begins with the plan in force, not with the draft that failed", async () => {
  const role = planning([{ writes: "nonsense\n" }, { writes: planText({ One: 1 }) }]);
  role.ports.files.write(role.context.home.tasks, "in force\n");
  await attemptUnit(role.context, role.step.unit, undefined, role.draft);
  expect(role.found).toEqual(["in force\n", "in force\n"]);
});

test.each<[string, string]>([
  ["two milestones of one name", `${planText({ One: 1 })}\n${planText({ One: 1 })}`],
  ["an empty file", ""],
  ["a milestone without tasks", "## Milestone: One\n"],
])("%s is no plan", async (_, writes) => {
  const drafted = await planning([{ writes }]).draft();
  expect(drafted.kind).toBe("failed");
});

test("a turn that removes the plan's file has failed", async () => {
  const role = planning([{}]);
  const { files } = role.ports;
  files.fault = (operation, path) =>
    operation === "read" && path === FILE && role.asked.length > 0 ? "ENOENT" : undefined;
  expect(await role.draft()).toEqual({
    kind: "failed",
    reason: "the turn left no plan in WISP_TASKS_FILE",
  });
});

const BEGUN: Logs = {
  builder: [
    builder.adopt({ One: ["a"], Two: ["b", "c"], Three: ["d"] }),
    builder.build({
      m: "One",
      outcome: "milestone",
      ticks: [{ m: "One", tasks: [1] }],
      commits: [sha(1)],
      milestones: [{ name: "One", start: sha(0), end: sha(1) }],
    }),
    builder.close("all"),
    builder.build({
      m: "Two",
      outcome: "partial",
      ticks: [{ m: "Two", tasks: [1] }],
      commits: [sha(2)],
    }),
  ],
  commits: [sha(1), sha(2)],
};

test.each<[string, Readonly<Record<string, readonly string[]>>, string]>([
  ["drops a completed milestone", { Two: ["b", "c"] }, "The completed milestone 'One' is missing"],
  [
    "changes a begun one",
    { One: ["a"], Two: ["b", "x"] },
    "The tasks of the started milestone 'Two'",
  ],
  ["moves them", { Two: ["b", "c"], One: ["a"] }, "The started milestone 'Two' was moved"],
])("a re-plan that %s is refused with the reason", async (_, milestones, reason) => {
  const drafted = await planning([{ writes: planText(milestones) }], BEGUN, "replan").draft();
  expect(drafted.kind === "failed" && drafted.reason).toContain(reason);
});

test("a re-plan may change milestones that have not begun in any way", async () => {
  const text = planText({ One: ["a"], Two: ["b", "c"], New: ["x"] });
  const role = planning([{ writes: text }], BEGUN, "replan");
  const drafted = await role.draft();
  expect(drafted.kind === "done" && drafted.value.kind).toBe("plan");
  expect(role.clone.synced).toEqual([sha(2)]);
  expect(role.prompts()[0]).toMatchObject({ completed: "- One", open_items: "(none)" });
});

test("an oversized milestone that has begun is not asked about, because it can no longer be split", async () => {
  const tasks = Array.from({ length: 7 }, (_, n) => `Task ${n}`);
  const logs: Logs = {
    builder: [
      builder.adopt({ Large: tasks }),
      builder.build({ m: "Large", outcome: "partial", ticks: [{ m: "Large", tasks: [1] }] }),
    ],
  };
  const role = planning([{ writes: planText({ Large: 7, More: 1 }) }], logs, "replan");
  await role.draft();
  expect(role.asked).toHaveLength(1);
});

test("an unchanged plan counts as kept if the turn was to decide whether to change it", async () => {
  const present = planText({ One: 9 });
  const kept = planning([{}], {}, "reconsider");
  kept.ports.files.write(kept.context.home.tasks, present);
  expect(await kept.draft()).toEqual({ kind: "done", value: { kind: "keep" } });
  expect(kept.asked.map(({ purpose }) => purpose)).toEqual(["replan"]);
});

test.each([
  ["needs-input", "needs_input"],
  ["blocked", "blocked"],
] as const)("a turn that ends %s is a question, not an attempt", async (kind, outcome) => {
  const question = "Which database?";
  const role = planning([{ ends: { kind, question } }]);
  expect(await role.draft()).toEqual({ kind: "question", outcome, question });
});

test("a re-plan's prompt contains the refusal, the items that used up their attempts, and a person's answers", async () => {
  const COR = finding("COR-000001");
  const failedFix = (attempt: number) =>
    builder.fix({ id: COR.id, attempt, outcome: "failed", reason: "no" });
  const role = planning(
    [{ writes: planText({ One: ["a"], Two: ["b"] }) }],
    {
      planner: [
        planner.end({
          seq: 0,
          boundary: 0,
          outcome: "needs_input",
          question: "planner-1",
          ask: "Which database?",
        }),
      ],
      human: [human.answer("planner-1", "SQLite")],
      reviewer: [reviewer.commit(1, { findings: [COR] })],
      builder: [
        builder.adopt({ One: ["a"], Two: ["b"] }),
        builder.build({
          m: "One",
          outcome: "milestone",
          ticks: [{ m: "One", tasks: [1] }],
          commits: [sha(1)],
          milestones: [{ name: "One", start: sha(0), end: sha(1) }],
        }),
        builder.close("all", [COR.id]),
        failedFix(1),
        failedFix(2),
        failedFix(3),
        builder.build({
          m: "Two",
          outcome: "milestone",
          ticks: [{ m: "Two", tasks: [1] }],
          commits: [sha(2)],
          milestones: [{ name: "Two", start: sha(1), end: sha(2) }],
        }),
        builder.refuse(1, "it drops the milestone"),
      ],
    },
    "replan",
  );
  await role.draft();
  expect(role.prompts()[0]).toMatchObject({
    template: "replan",
    open_items: "- COR-000001: It is wrong",
    refusal: "it drops the milestone",
    answers: "You asked: Which database?\nThe answer: SQLite",
  });
});

test("a clone that cannot be created ends the process", async () => {
  const failure = GitFailure({ operation: "fetch", directory: "/", message: "gone" });
  const clone = fakeClone("/c", { syncTo: async () => fail(failure) });
  const { context } = memoryRole("planner", () => DONE, { clone });
  const { step, state } = planning([]);
  const first = { number: 1, lastFailure: undefined };
  await expect(draftPlan(context, state, step, first)).rejects.toThrow("gone");
});
