import { expect, test } from "vitest";
import { readStories } from "../../src/fs-protocol/request/stories.ts";

/** The failure as `<line>: <problem>`. */
function problemIn(text: string): string {
  const read = readStories(text, "US");
  return read.ok ? "no failure" : `${String(read.failure.line)}: ${read.failure.problem}`;
}

const STORY = [
  "# PRD: Invoices",
  "",
  "- [ ] not a criterion",
  "",
  "### US-001: Read a file",
  "",
  "**Description:** As a user, I want to name",
  "a file.",
  "",
  "**Acceptance Criteria:**",
  "- [ ] A file that is not there is named",
  "  - in the message",
  "- [x] An empty file has no rows",
  "- Tests pass",
  "",
  "**Notes:**",
  "- Mind the encoding",
  "",
  "### Technical notes",
  "",
  "- [ ] not a criterion either",
  "",
  "### US-002: Write a file",
  "- [ ] It is written",
  "- so plain bullets are no criteria here",
  "",
].join("\n");

test("stories have a title, a description, and the criteria below their label", () => {
  expect(readStories(STORY, "US")).toEqual({
    ok: true,
    value: [
      {
        id: "US-001",
        title: "Read a file",
        line: 5,
        description: "As a user, I want to name a file.",
        bullets: [
          "A file that is not there is named",
          "in the message",
          "An empty file has no rows",
          "Tests pass",
          "Mind the encoding",
        ],
        isDone: false,
        criteria: [
          {
            text: "A file that is not there is named",
            steps: ["in the message"],
            ticked: false,
            line: 11,
            lastLine: 12,
          },
          { text: "An empty file has no rows", steps: [], ticked: true, line: 13, lastLine: 13 },
          { text: "Tests pass", steps: [], ticked: false, line: 14, lastLine: 14 },
        ],
      },
      {
        id: "US-002",
        title: "Write a file",
        line: 23,
        description: "",
        bullets: ["It is written", "so plain bullets are no criteria here"],
        isDone: false,
        criteria: [{ text: "It is written", steps: [], ticked: false, line: 24, lastLine: 24 }],
      },
    ],
  });
});

test("items of a revision have the same form with another prefix, and stories do not count as items", () => {
  const items = readStories(STORY.replaceAll("US-", "RI-"), "RI");
  expect(items.ok && items.value.map(({ id }) => id)).toEqual(["RI-001", "RI-002"]);
  expect(readStories(STORY, "RI")).toEqual({ ok: true, value: [] });
});

test("text in a code fence or a quotation is not a story", () => {
  const text = "```markdown\n### US-001: x\n- [ ] y\n```\n\n> ### US-002: x\n";
  expect(readStories(text, "US")).toEqual({ ok: true, value: [] });
});

/** Ids, titles and criteria of a document. */
function outline(text: string): readonly (readonly [string, string, ...string[]])[] {
  const read = readStories(text, "US");
  expect(read).toMatchObject({ ok: true });
  const stories = read.ok ? read.value : [];
  return stories.map(({ id, title, criteria }) => [id, title, ...criteria.map(({ text }) => text)]);
}

test.each([
  ["#### US-001: Read", "US-001", "Read"],
  ["## US-001: Read", "US-001", "Read"],
  ["### US-001 - Read - and write", "US-001", "Read - and write"],
  ["### US-001 – Read", "US-001", "Read"],
  ["### US-001—Read", "US-001", "Read"],
  ["### US-001 : Read", "US-001", "Read"],
  ["### US-1.1: Read", "US-1.1", "Read"],
  ["### US1: Read", "US1", "Read"],
  ["### us-001a: Read", "us-001a", "Read"],
  ["### **US-001**: Read", "US-001", "Read"],
  ["### **US-001: Read**", "US-001", "Read"],
  ["### US-001: **Read** it", "US-001", "**Read** it"],
  ["### User Story US-001: Read", "US-001", "Read"],
  ["### US-001", "US-001", ""],
])("reads a story from %j, whatever its level, separator and id", (heading, id, title) => {
  expect(outline(`# PRD\n\n${heading}\n\n- [ ] b\n`)).toEqual([[id, title, "b"]]);
});

test.each([
  "**Acceptance criteria (must):**",
  "Acceptance Criteria:",
  "**Acceptance Criteria**",
  "**Acceptance criteria (must)**:",
  "##### Acceptance criteria",
])("reads criteria below %j", (label) => {
  const text = `#### US-001: A\n\n${label}\n\n- b\n- c\n\n**Notes**\n\n- d\n`;
  expect(outline(text)).toEqual([["US-001", "A", "b", "c"]]);
});

test("a story above stories whose ids extend its own is a heading, unless it has criteria", () => {
  const below = "#### US-1.1: B\n- [ ] b\n\n#### US-1.2: C\n- [ ] c\n";
  expect(outline(`### US-1: A\n\nAll about it.\n\n${below}`)).toEqual([
    ["US-1.1", "B", "b"],
    ["US-1.2", "C", "c"],
  ]);
  expect(outline(`### US-1: A\n- [ ] a\n\n${below}`)).toHaveLength(3);
  expect(outline(`### US-1: A\n\n- remember me\n\n${below}`)).toHaveLength(3);
  expect(outline("### US-1: A\n\n#### US-2: B\n- [ ] b\n")).toHaveLength(2);
});

test("refuses a repeated story, and what is almost a story, with the line", () => {
  expect(problemIn("### US-001: A\n- [ ] b\n\n### us-001: C\n- [ ] d\n")).toBe(
    "4: the story us-001 is already at line 1; ids are unique",
  );
  const form = "a story is written `### US-001: <title>`";
  expect(problemIn("### US-001 A\n- [ ] b\n")).toBe(`1: ${form}`);
  expect(problemIn("\n### ✅ US-001: A\n- [ ] b\n")).toBe(`2: ${form}`);
  expect(problemIn("### US-001, US-002: A\n- [ ] b\n")).toBe(`1: ${form}`);
  expect(problemIn("### US-001 – US-004: A\n- [ ] b\n")).toBe(
    "1: the heading names several stories; each has one of its own",
  );
  expect(problemIn("### US-001: A\n- [ ]\n- [ ] b\n")).toBe("no failure");
  expect(problemIn(`### US-001: ${"A".repeat(200)}\n- [ ] b\n`)).toBe(
    "1: the title of US-001 is longer than 192 characters",
  );
  expect(problemIn(`### US-001: A\n- [ ] ${"b".repeat(1001)}\n`)).toBe(
    "2: a criterion of US-001 is longer than 1000 characters",
  );
});

test("refuses a document of stories that is too large to parse, but not prose of that size", () => {
  const lines = "word\n".repeat(6_000);
  expect(problemIn(`### US-001: A\n- [ ] b\n${lines}`)).toContain("there are more than 5000 lines");
  expect(readStories(lines, "US")).toEqual({ ok: true, value: [] });
});

test("ignores emphasis around the label or the id", () => {
  const text = "### **US-001:** Read\n\nAcceptance criteria:\n\n* b\n";
  const read = readStories(text, "US");
  expect(read.ok && read.value[0]).toMatchObject({ id: "US-001", title: "Read" });
});
