import { expect, test } from "vitest";
import { readStories } from "../../src/fs-protocol/stories.ts";

/** The failure as `<line>: <problem>`. */
function told(text: string): string {
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
        criteria: [
          {
            text: "A file that is not there is named",
            steps: ["in the message"],
            ticked: false,
            line: 11,
          },
          { text: "An empty file has no rows", steps: [], ticked: true, line: 13 },
          { text: "Tests pass", steps: [], ticked: false, line: 14 },
        ],
      },
      {
        id: "US-002",
        title: "Write a file",
        line: 23,
        description: "",
        criteria: [{ text: "It is written", steps: [], ticked: false, line: 24 }],
      },
    ],
  });
});

test("items of a revision are the same under another prefix, and stories are none of them", () => {
  const items = readStories(STORY.replaceAll("US-", "RI-"), "RI");
  expect(items.ok && items.value.map(({ id }) => id)).toEqual(["RI-001", "RI-002"]);
  expect(readStories(STORY, "RI")).toEqual({ ok: true, value: [] });
});

test("what stands in a code fence or a quotation is no story", () => {
  const text = "```markdown\n### US-001: x\n- [ ] y\n```\n\n> ### US-002: x\n";
  expect(readStories(text, "US")).toEqual({ ok: true, value: [] });
});

test("a story without criteria, one that is there twice, and what is nearly one, are told by their line", () => {
  expect(told("### US-001: A\n\nNothing.\n")).toBe(
    "1: the story US-001 has no acceptance criteria: no list below `**Acceptance Criteria:**`",
  );
  expect(told("### US-001: A\n- [ ] b\n\n### US-001: C\n- [ ] d\n")).toBe(
    "4: the story US-001 is already at line 1; ids are unique",
  );
  const form = "a story is written `### US-001: <title>`, at level 3";
  expect(told("## US-001: A\n- [ ] b\n")).toBe(`1: ${form}`);
  expect(told("### US-001 A\n- [ ] b\n")).toBe(`1: ${form}`);
  expect(told("\n### us-1: A\n- [ ] b\n")).toBe(`2: ${form}`);
  expect(told("### US-001:\n- [ ] b\n")).toBe("1: the story US-001 has no title");
  expect(told("### US-001: A\n- [ ]\n- [ ] b\n")).toBe("no failure");
  expect(told(`### US-001: ${"A".repeat(200)}\n- [ ] b\n`)).toBe(
    "1: the title of US-001 is longer than 192 characters",
  );
  expect(told(`### US-001: A\n- [ ] ${"b".repeat(1001)}\n`)).toBe(
    "2: a criterion of US-001 is longer than 1000 characters",
  );
});

test("a document of stories that is too large to be parsed is told, prose of that size is not", () => {
  const lines = "word\n".repeat(6_000);
  expect(told(`### US-001: A\n- [ ] b\n${lines}`)).toContain("there are more than 5000 lines");
  expect(readStories(lines, "US")).toEqual({ ok: true, value: [] });
});

test("emphasis around the label or the id means nothing", () => {
  const text = "### **US-001:** Read\n\nAcceptance criteria:\n\n* b\n";
  const read = readStories(text, "US");
  expect(read.ok && read.value[0]).toMatchObject({ id: "US-001", title: "Read" });
});
