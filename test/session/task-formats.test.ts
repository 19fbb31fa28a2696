import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { compileRequest, type CompiledRequest } from "../../src/session/rules/compile-request.ts";

/*
 * Documents in the forms of other tools: each fixture was written for these tests, in the shape that the tool writes.
 */

const FIXTURES = join(import.meta.dirname, "..", "fixtures", "formats");

function fixture(name: string): string {
  return readFileSync(join(FIXTURES, name), "utf8");
}

function compiled(text: string): CompiledRequest | undefined {
  const result = compileRequest(text);
  expect(result).toMatchObject({ ok: true });
  return result.ok ? result.value : undefined;
}

test.each<{ readonly name: string } & Partial<CompiledRequest>>([
  { name: "spec-kit.md", form: "spec-kit", loose: [44] },
  {
    name: "kiro.md",
    form: "kiro",
    remarks: ["1 task is marked as optional, and in the plan like the others"],
  },
  { name: "openspec.md", form: "openspec" },
  { name: "bmad.md", form: "bmad", loose: [28] },
  {
    name: "ralphex.md",
    form: "ralphex",
    loose: [7],
    remarks: ["1 task has no boxes, and is a single task"],
  },
  {
    name: "taskmaster.json",
    form: "taskmaster",
    remarks: [
      "1 task is cancelled or deferred, and so not in the plan: 4",
      "to follow the dependencies, the order of the list was changed: 2 came too early",
    ],
  },
  { name: "prd.json", form: "stories" },
  { name: "checklist.md", form: "checklist" },
  { name: "phases.md", form: "checklist", loose: [27] },
])("$name becomes exactly its plan", ({ name, form, loose = [], remarks = [] }) => {
  const request = compiled(fixture(name));
  expect(request?.text).toBe(fixture(name.replace(/\.\w+$/, ".plan.md")));
  expect(request).toMatchObject({ form, loose, remarks, bare: [], oversized: [] });
});

test("line ends, a byte order mark and tabs change nothing about the plan", () => {
  for (const name of ["spec-kit.md", "kiro.md", "openspec.md", "bmad.md", "ralphex.md"]) {
    const text = fixture(name);
    const expected = compiled(text);
    expect(compiled(text.replaceAll("\n", "\r\n"))).toEqual(expected);
    expect(compiled(`\uFEFF${text}`)).toEqual(expected);
  }
});

test("boxes in code, comments and quotations are no tasks in any form", () => {
  for (const name of ["spec-kit.md", "kiro.md", "openspec.md", "bmad.md", "ralphex.md"]) {
    const text = fixture(name);
    for (const hidden of [
      `\`\`\`md\n${text}\n`,
      `<!--\n${text}\n-->\n`,
      text.replace(/^/gm, "> "),
    ]) {
      // A fence around a document with a fence of its own ends there.
      if (text.includes("```") && hidden.startsWith("```")) continue;
      expect(compileRequest(hidden)).toEqual({ ok: true, value: undefined });
    }
  }
});

test("documents that only resemble a form are prose", () => {
  for (const text of [
    "# Test plan\n\nWe test T001 and T002.\n\n- [ ] T001 is fast\n- [ ] Is it small?\n- [ ] Is it safe?\n",
    "# RFC\n\n1. First\n2. Second\n\n- [ ] 1. Is this right?\n- [ ] 2. Is that right?\n",
    "# Notes\n\n## 1. Goals\n\nWords.\n\n- [ ] 1.1 is this measurable?\n- [ ] who decides?\n- [ ] and when?\n",
    "# Notes\n\n## 1. Goals\n\nWords.\n\n- [ ] 3.1 Another chapter\n- [ ] 3.2 Another\n",
    "# RFC\n\n## 1. Goals\n\n- [ ] Fast\n\n## 2. Design\n\nWords.\n\n## 3. Questions\n\n- [ ] Why?\n",
    "# RFC\n\nWords.\n\n## Phase 1: Ask\n\n- [ ] Is it fast?\n",
    "# Story 1.1: Read\n\n## Acceptance Criteria\n\n- [ ] It is fast\n\n## Tasks\n\nTo be written.\n",
    "# Tasks / Subtasks\n\nHow stories list their tasks.\n",
    "# How to plan\n\n### Task 1: Title\n\nEach task has a heading like this one.\n",
    '{"tasks": [{"id": 1, "title": "Do it"}]}',
    '{"a": {"tasks": []}, "b": 7}',
  ]) {
    expect(compileRequest(text)).toEqual({ ok: true, value: undefined });
  }
});

test("a name that occurs twice is numbered, and what is too long for a line continues below it", () => {
  const long = `1.1 ${"word ".repeat(300)}end`;
  const heading = `1. ${"Name ".repeat(60)}`.trim();
  const text = `## ${heading}\n\n- [ ] ${long}\n- [ ] 1.2 b\n\n## ${heading}\n\n- [ ] 1.3 c\n`;
  const request = compiled(text);
  const [first, second] = request?.plan.milestones ?? [];
  expect(second?.name).toBe(`${first?.name ?? ""} (2)`);
  const words = (request?.text ?? "").match(/word|Name|end/g);
  expect(words).toHaveLength(300 + 1 + 2 * 60);
});

test("whatever stands in a task becomes its steps, line by line, and a comment does not", () => {
  const inside = [
    "More.",
    "```sh",
    "npm test",
    "```",
    "> Quoted",
    "- one",
    "  - two",
    "<!-- no -->",
  ];
  const indented = inside.map((line) => `  ${line}\n`).join("\n");
  const text = `## 1. A\n\n- [ ] 1.1 a\n\n${indented}\n- [ ] 1.2 b\n`;
  expect(compiled(text)?.text).toBe(
    [
      ...[
        "## Milestone: 1. A",
        "",
        "- [ ] 1.1 a",
        "  - More.",
        "  - ```sh",
        "  - npm test",
        "  - ```",
      ],
      ...["  - > Quoted", "  - one", "  - two", "- [ ] 1.2 b", ""],
    ].join("\n"),
  );
});

test("a milestone with more than 100 tasks becomes several of at most 100", () => {
  const boxes = Array.from({ length: 250 }, (_, index) => `- [ ] 1.${String(index)} Do it`);
  const { milestones = [] } = compiled(`## 1. Much\n\n${boxes.join("\n")}\n`)?.plan ?? {};
  expect(milestones.map(({ name, tasks }) => [name, tasks.length])).toEqual([
    ["1. Much", 83],
    ["1. Much (2)", 84],
    ["1. Much (3)", 83],
  ]);
});

test("a ticked task of two levels counts as done with all that is in it", () => {
  const text = "- [x] 1. A\n  - [ ] 1.1 a\n  - [x] 1.2 b\n- [ ] 2. B\n  - [ ] 2.1 c\n";
  expect(compiled(text)?.plan.ticks).toEqual([{ m: "1. A", tasks: [1, 2] }]);
  expect(compileRequest(text.replaceAll("[ ]", "[x]"))).toEqual({
    ok: false,
    failure: { kind: "all-done" },
  });
});

test("subtasks that stand beside their task, as older files of Kiro have them, are read like nested ones", () => {
  const nested = "- [ ] 1. A\n  - [ ] 1.1 a\n  - [ ] 1.2 b\n- [ ] 2. B\n";
  expect(compiled(nested.replaceAll("  -", "-"))).toMatchObject({ text: compiled(nested)?.text });
});

test("of several tags of Taskmaster, master is read, and without one there is no guess", () => {
  const tag = (title: string) => ({ tasks: [{ id: 1, title, status: "pending" }] });
  const request = compiled(JSON.stringify({ later: tag("B"), master: tag("A") }));
  expect(request?.plan.milestones).toEqual([{ name: "1: A", tasks: ["1: A"] }]);
  expect(request?.remarks).toEqual(['only the tag "master" is in the plan, not later']);
  expect(compileRequest(JSON.stringify({ one: tag("A"), two: tag("B") }))).toMatchObject({
    failure: {
      kind: "task-list",
      problem: 'it has several tags ("one", "two"), and none is called "master"',
    },
  });
});

test("dependencies in a circle keep the order of the list, and are reported", () => {
  const task = (id: number, dependencies: number[]) => ({
    ...{ id, title: `T${String(id)}`, status: "pending", dependencies },
  });
  const request = compiled(JSON.stringify({ tasks: [task(1, [2]), task(2, [1]), task(3, [])] }));
  expect(request?.plan.milestones.flatMap(({ tasks }) => tasks)).toEqual([
    "3: T3",
    "1: T1",
    "2: T2",
  ]);
  expect(request?.remarks.at(-1)).toBe(
    "some dependencies form a circle, so they do not all decide the order",
  );
});

test("a task without a title makes a list of Taskmaster a mistake, which names the item", () => {
  const tasks = [{ id: 1, title: "A", status: "pending" }, { id: 2 }];
  expect(compileRequest(JSON.stringify({ tasks }))).toMatchObject({
    ok: false,
    failure: { kind: "task-list", item: 2 },
  });
});
