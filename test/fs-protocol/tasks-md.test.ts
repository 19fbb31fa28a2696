import { expect, test } from "vitest";
import {
  parseTasks,
  planMilestones,
  progress,
  type TasksDocument,
} from "../../src/fs-protocol/tasks/tasks-md.ts";
import { present } from "../../src/base/assert.ts";

function parsed(text: string): TasksDocument {
  const result = parseTasks(text);
  expect(result).toMatchObject({ ok: true });
  return present(result.ok ? result.value : undefined, "the text is a plan");
}

function refused(text: string): { readonly line: number; readonly problem: string } {
  const result = parseTasks(text);
  expect(result).toMatchObject({ ok: false, failure: { kind: "tasks" } });
  return present(result.ok ? undefined : result.failure, "the text is no plan");
}

/** The failure as `<line>: <problem>`. */
function problemIn(text: string): string {
  const { line, problem } = refused(text);
  return `${String(line)}: ${problem}`;
}

/** Names and texts only. */
function plan(text: string): Record<string, readonly string[]> {
  return Object.fromEntries(planMilestones(parsed(text)).map(({ name, tasks }) => [name, tasks]));
}

test("headings and task lists become milestones with ordinals, categories, steps and ticks", () => {
  const text = [
    "# Plan",
    "",
    "Some words about it.",
    "",
    "## Milestone: Project skeleton",
    "",
    "- [x] [setup] Create the package",
    "  - with its own tests",
    "    - and a fixture",
    "  - and a licence",
    "- [ ] Add the command line",
    "",
    "## Milestone: API",
    "* [X] [DOCS] Describe it",
    "",
  ].join("\n");
  expect(parsed(text)).toEqual({
    milestones: [
      {
        name: "Project skeleton",
        tasks: [
          {
            ordinal: 1,
            text: "[setup] Create the package",
            category: "setup",
            steps: ["with its own tests", "and a fixture", "and a licence"],
            ticked: true,
          },
          {
            ordinal: 2,
            text: "Add the command line",
            category: undefined,
            steps: [],
            ticked: false,
          },
        ],
      },
      {
        name: "API",
        tasks: [
          { ordinal: 1, text: "[DOCS] Describe it", category: "docs", steps: [], ticked: true },
        ],
      },
    ],
  });
});

test("a category is one of six words, in brackets, at the start of the task", () => {
  const words = ["setup", "feature", "bugfix", "refactor", "test", "docs"];
  const tasks = [
    ...words.map((word) => `[${word}] x`),
    "[perf] x",
    "x [test]",
    "[test]x",
    "setup x",
  ];
  const text = `## Milestone: A\n${tasks.map((task) => `- [ ] ${task}\n`).join("")}`;
  expect(parsed(text).milestones[0]?.tasks.map(({ category }) => category)).toEqual([
    ...words,
    undefined,
    undefined,
    undefined,
    undefined,
  ]);
});

test("reads tasks with all list markers, tight or loose, with any line ends and a byte order mark", () => {
  const text = [
    "\ufeff## Milestone: A ##",
    "1. [ ] one",
    "2) [x] two",
    "",
    "+ [ ] three",
    "",
    "+ [ ] four",
    "   - step",
  ];
  const expected = { A: ["one", "two", "three", "four"] };
  expect(plan(text.join("\n"))).toEqual(expected);
  expect(plan(text.join("\r\n"))).toEqual(expected);
  expect(plan(text.join("\r"))).toEqual(expected);
});

test("headings and tasks in fenced or indented code, HTML, and quotes are free text", () => {
  const text = [
    "```markdown",
    "## Milestone: Not one",
    "- [ ] not a task",
    "```",
    "## Milestone: A",
    "- [ ] real",
    "  ```",
    "  - [ ] not a task",
    "  ## Milestone: Not one",
    "  ```",
    "",
    "> - [ ] quoted",
    "> ## Milestone: Quoted",
    "",
    "<!--",
    "- [ ] commented out",
    "## Milestone: Commented out",
    "-->",
    "",
    "    - [ ] indented code",
    "",
    "~~~",
    "- [ ] an open fence reaches to the end",
  ];
  expect(plan(text.join("\n"))).toEqual({ A: ["real"] });
});

test("a section ends at the next heading of level 1 or 2; lists outside a section are free text", () => {
  const text = [
    "- [ ] before all",
    "## Milestone: A",
    "- [ ] one",
    "### Details",
    "- [ ] two",
    "## Notes",
    "- [ ] a reminder",
    "- []",
    "# Milestones",
    "- [ ] another",
  ];
  expect(plan(text.join("\n"))).toEqual({ A: ["one", "two"] });
});

test("a plain bullet may group tasks, and a box inside a task is a step", () => {
  const text =
    "## Milestone: A\n- Group\n  - [ ] one\n  - [ ] two\n    - [x] step\n- plain bullet\n";
  const [milestone] = parsed(text).milestones;
  expect(milestone?.tasks.map(({ text, steps }) => [text, steps])).toEqual([
    ["one", []],
    ["two", ["step"]],
  ]);
});

test("a task over several lines becomes one line of text", () => {
  const text = '## Milestone: A\n- [ ] use `a|b`  \n  and **this**\nand [that](x "t") \\# &amp;\n';
  expect(plan(text)).toEqual({ A: ['use `a|b` and **this** and [that](x "t") \\# &amp;'] });
});

test("names can contain pipes, quotes, emoji, dots and slashes", () => {
  const names = ["a|b", `"q" and 'r'`, "🚀 start", "../../etc/passwd", "a: b", "`x` # y", "100%"];
  const text = names.map((name) => `## Milestone: ${name}\n- [ ] t\n`).join("\n");
  expect(parsed(text).milestones.map(({ name }) => name)).toEqual(names);
});

test("removes escape sequences and control characters from names, tasks and steps", () => {
  const text =
    "## Milestone: \u001b[31mred\u001b[0m\u202e\u0007 name\n- [ ] a\u0000b \u001b]0;title\u0007c\n  - s\u2066t\n";
  expect(parsed(text).milestones).toMatchObject([
    { name: "red name", tasks: [{ text: "ab c", steps: ["st"] }] },
  ]);
});

test("names that differ only by spaces or Unicode composition are the same", () => {
  expect(
    refused("## Milestone:  e\u0301 x \n- [ ] a\n\n## Milestone: \u00e9 x\n- [ ] b\n"),
  ).toEqual({
    kind: "tasks",
    line: 4,
    problem: 'the milestone "é x" is already at line 1; names are unique',
  });
});

test("names that differ by case are different", () => {
  expect(Object.keys(plan("## Milestone: api\n- [ ] a\n## Milestone: API\n- [ ] b\n"))).toEqual([
    "api",
    "API",
  ]);
});

test("refuses a text without a milestone and shows the expected form", () => {
  for (const text of ["", "hello", "- [ ] task\n", "# Plan\n\n## Setup\n- [ ] task\n"]) {
    expect(refused(text)).toMatchObject({ line: 1 });
    expect(refused(text).problem).toContain("## Milestone: <name>");
  }
});

test("refuses a milestone without a name or a task, with its line", () => {
  expect(problemIn("\n## Milestone:\n- [ ] a\n")).toMatch(/^2: .*no name/);
  expect(problemIn("## Milestone: \u200b\u001b[0m\n- [ ] a\n")).toMatch(/^1: .*no name/);
  expect(problemIn("## Milestone: A\n- [ ] a\n## Milestone: B\n- bullet\n")).toMatch(
    /^3: .*"B" has no task/,
  );
});

test("refuses a task that is empty after cleaning", () => {
  expect(problemIn("## Milestone: A\n- [ ] a\n- [ ] \u202e\n")).toMatch(/^3: .*no text/);
});

test.each([
  ["### Milestone: B", "B"],
  ["# Milestone: B", "B"],
  ["# Milestone 01: B", "B"],
  ["## Milestone 2: B", "B"],
  ["## Milestone 2b-ii: B", "B"],
  ["## Milestone IV - B", "B"],
  ["## milestone: B", "B"],
  ["## Milestone : B", "B"],
  ["## **Milestone: B**", "B"],
  ["## **Milestone 2:** **B**", "**B**"],
  ["## **Milestone 2**: B ##", "B"],
  ["## Milestone 2 - B", "B"],
  ["## Milestone – B - C", "B - C"],
  ["#### Milestone #2", "Milestone #2"],
  ["## Milestone 2: a", "2: a"],
])("reads a milestone from %j, whatever its level, number and separator", (heading, name) => {
  const text = `## Milestone: a\n- [ ] a\n\n${heading}\n- [ ] b\n`;
  expect(plan(text)).toEqual({ a: ["a"], [name]: ["b"] });
});

test("a section of any level ends at the next heading of its level or above", () => {
  const text = [
    "# Milestone 1: A",
    "- [ ] one",
    "## Tests",
    "- [ ] two",
    "# Notes",
    "- [ ] a reminder",
    "### Milestone 2: B",
    "- [ ] three",
    "### Notes",
    "- [ ] another reminder",
  ];
  expect(plan(text.join("\n"))).toEqual({ A: ["one", "two"], B: ["three"] });
});

test("of two milestones with the same name, the later one keeps its number in the name", () => {
  const text = "## Milestone 1: A\n- [ ] a\n\n## Milestone 2: A\n- [ ] b\n";
  expect(plan(text)).toEqual({ A: ["a"], "2: A": ["b"] });
  expect(problemIn("## Milestone: A\n- [ ] a\n\n## Milestone: A\n- [ ] b\n")).toMatch(
    /^4: .*already at/,
  );
});

test.each(["Milestone: B\n---", "## Milestone", "## **Milestone**:"])(
  "refuses what is almost a milestone, because its tasks would be lost: %j",
  (heading) => {
    const text = `## Milestone: A\n- [ ] a\n\n${heading}\n- [ ] b\n`;
    expect(problemIn(text)).toMatch(/^4: .*`## Milestone: <name>`/);
  },
);

test("headings that only begin like a milestone are free text", () => {
  for (const heading of ["## Milestones", "## Milestone-driven work", "## Milestone overview"]) {
    expect(plan(`${heading}\n## Milestone: A\n- [ ] a\n`)).toEqual({ A: ["a"] });
  }
});

test.each(["- [] b", "- [ ]b", "- [  ] b", "- [ ]", "- [x]b", "- [✓] b", "- [-] b", "-[ ] b"])(
  "refuses what is almost a task, because it would not be built: %j",
  (line) => {
    const text = `## Milestone: A\n- [ ] a\n\ntext\n\n${line}\n`;
    expect(problemIn(text)).toMatch(/^6: .*`- \[ \] <task>`/);
  },
);

test("a bullet that begins with a link is not a task", () => {
  expect(plan("## Milestone: A\n- [ ] a\n- [x](https://example.org)\n- [x][ref]\n")).toEqual({
    A: ["a"],
  });
});

test("enforces the limits of names, tasks, tasks of a milestone, milestones and the document", () => {
  const task = "- [ ] t\n";
  expect(refused(`## Milestone: ${"n".repeat(201)}\n${task}`).problem).toContain("200 characters");
  expect(parsed(`## Milestone: ${"n".repeat(200)}\n${task}`).milestones).toHaveLength(1);
  expect(refused(`## Milestone: A\n- [ ] ${"t".repeat(1001)}\n`)).toMatchObject({ line: 2 });
  expect(refused(`## Milestone: A\n${task.repeat(101)}`).problem).toContain("more than 100 tasks");
  const milestones = (count: number) =>
    Array.from({ length: count }, (_, index) => `## Milestone: M${String(index)}\n${task}`).join(
      "",
    );
  expect(refused(milestones(5_001))).toEqual(
    expect.objectContaining({ line: 10_001, problem: "there are more than 5000 milestones" }),
  );
  expect(parsed(milestones(5_000)).milestones).toHaveLength(5_000);
  const long = `- [ ] ${"語".repeat(1000)}\n`.repeat(90);
  const whole = ["A", "B", "C", "D"].map((name) => `## Milestone: ${name}\n${long}`);
  expect(parsed(whole.slice(1).join("\n")).milestones).toHaveLength(3);
  expect(refused(whole.join("\n")).problem).toMatch(/take \d+ bytes in all.* at most 1048576$/);
});

test("refuses texts that would keep the parser busy before parsing them", () => {
  const plan = "## Milestone: A\n- [ ] a\n";
  expect(refused(plan + "> ".repeat(100_000)).problem).toBe("the line is nested too deeply");
  expect(refused(plan + "- ".repeat(100_000))).toMatchObject({ line: 3 });
  expect(refused(`${plan}${" ".repeat(81)}- x`)).toMatchObject({ line: 3 });
  expect(refused(plan + "- - - - x\n".repeat(2_000)).problem).toContain("5000 lines");
  expect(refused(plan + "lazy\n".repeat(100_000)).problem).toContain("5000 lines");
  expect(parsed(plan + "# x\n".repeat(90_000)).milestones).toHaveLength(1);
  expect(refused(plan + "# x\n".repeat(100_000)).problem).toContain("more than 100000 lines");
  expect(refused(`${plan}${"lazy\n".repeat(3_900)}# x\n`.repeat(3)).problem).toContain("longest");
  expect(refused(plan + "x".repeat(2_000_000)).problem).toContain("1048576 characters");
});

test("accepts long rules and deep code within the limits", () => {
  const rule = `${"-".repeat(300)}\n\n${"*".repeat(300)}\n\n${"1".repeat(300)}\n`;
  expect(plan(`${rule}\n## Milestone: A\n- [ ] a\n`)).toEqual({ A: ["a"] });
});

test("reports the first problem of the document", () => {
  const text = "## Milestone: A\n## Milestone: A\n- [] b\n## Milestone:\n";
  expect(problemIn(text)).toMatch(/^1: .*"A" has no task/);
});

test("progress counts tasks and milestones", () => {
  const some = parsed("## Milestone: A\n- [x] a\n\n## Milestone: B\n- [x] b\n- [ ] c\n- [ ] d\n");
  expect(progress(some)).toEqual({
    tasks: { done: 2, total: 4 },
    milestones: { done: 1, total: 2 },
  });
});
