import fc from "fast-check";
import type { Nodes } from "mdast";
import { fromMarkdown } from "mdast-util-from-markdown";
import { expect, test } from "vitest";
import { markdownLines } from "../../src/fs-protocol/tasks/markdown-lines.ts";

/** The structure that readers of findings rely on, as lists of line indexes. */
interface Structure {
  readonly code: number[];
  readonly html: number[];
  readonly rootHeadings: string[];
  readonly rootItems: number[];
}

const OFF = {
  disable: {
    null: [
      "attention",
      "autolink",
      "characterEscape",
      "characterReference",
      "codeText",
      "definition",
      "hardBreakEscape",
      "htmlText",
      "labelEnd",
      "labelStartImage",
      "labelStartLink",
      "setextUnderline",
    ],
  },
};

function structureByLibrary(text: string): Structure {
  const lines = text.split("\n");
  const found: Structure = { code: [], html: [], rootHeadings: [], rootItems: [] };
  const visit = (node: Nodes, depth: number): void => {
    const from = (node.position?.start.line ?? 1) - 1;
    const end = node.position?.end;
    // The library counts the line break after some blocks as theirs.
    const to = (end?.line ?? 1) - (end?.column === 1 ? 2 : 1);
    const span = Array.from({ length: to - from + 1 }, (_, i) => from + i).filter(
      (i) => lines[i]?.trim() !== "",
    );
    if (node.type === "code") found.code.push(...span);
    if (node.type === "html") found.html.push(...span);
    if (node.type === "heading" && depth === 1) found.rootHeadings.push(String(from));
    if (node.type === "listItem" && depth === 2) found.rootItems.push(from);
    if (node.type === "blockquote") return;
    if ("children" in node) for (const child of node.children) visit(child, depth + 1);
  };
  visit(fromMarkdown(text, { extensions: [OFF] }), 0);
  return found;
}

function structureByLines(text: string): Structure {
  const found: Structure = { code: [], html: [], rootHeadings: [], rootItems: [] };
  for (const [index, line] of markdownLines(text).entries()) {
    const isCode = line.kind === "fence" || line.kind === "indented";
    if (isCode && line.raw.trim() !== "") found.code.push(index);
    if (line.kind === "html" && line.raw.trim() !== "") found.html.push(index);
    if (line.kind === "heading" && line.depth === 0) found.rootHeadings.push(String(index));
    if (line.opens !== undefined) found.rootItems.push(index);
  }
  return found;
}

/**
 * By CommonMark only a paragraph refuses an empty item, or one whose number is not 1; the library
 * refuses them after indented code, too.
 */
function hasLibraryQuirk(text: string): boolean {
  const lines = markdownLines(text).filter(({ raw }) => raw.trim() !== "");
  return lines.some(
    ({ raw }, index) =>
      lines[index - 1]?.kind === "indented" && /^\s*(?:\d+[.)]|[-*+]\s*$)/u.test(raw),
  );
}

const indent = fc.constantFrom(
  "",
  "",
  "",
  " ",
  "  ",
  "   ",
  "    ",
  "     ",
  "      ",
  "\t",
  " \t",
);
const marker = fc.constantFrom(
  "",
  "",
  "",
  "- ",
  "* ",
  "1. ",
  "2. ",
  "10. ",
  "-   ",
  "1.\t",
  "-",
  "3)",
  "-      ",
);
const leaf = fc.constantFrom(
  "foo",
  "bar baz",
  "# heading",
  "### Verdict: PASSED",
  "####### seven",
  "---",
  "***",
  "```",
  "```ts",
  "````",
  "``` a`b",
  "~~~",
  "<!-- note",
  "end -->",
  "<div>",
  "</div>",
  "",
  "",
  "#",
  "- - a",
  "==",
);
const line = fc.tuple(indent, marker, leaf).map((parts) => parts.join(""));

test("classifies every line like the Markdown library", () => {
  fc.assert(
    fc.property(fc.array(line, { maxLength: 12 }), (lines) => {
      const text = lines.join("\n");
      fc.pre(!hasLibraryQuirk(text));
      expect(structureByLines(text)).toEqual(structureByLibrary(text));
    }),
    { numRuns: 1_000 },
  );
});

test.each([
  ["items", "- a\n"],
  ["numbered markers", "1. "],
  ["bullets", "- "],
  ["quotes", "> "],
  ["fences", "```\n"],
  ["comments", "<!--\n"],
  ["tabs", "\t"],
  ["blank lines", "\n"],
  ["brackets", "["],
  [
    "items that are nested ever deeper",
    `${Array.from({ length: 400 }, (_, i) => `${"  ".repeat(i)}- a`).join("\n")}\n`,
  ],
])("reads half a mebibyte of %s in linear time", (_, unit) => {
  const text = unit.repeat(Math.ceil((512 * 1024) / unit.length));
  expect(markdownLines(text)).toHaveLength(text.split("\n").length);
});
