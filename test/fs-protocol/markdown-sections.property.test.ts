import fc from "fast-check";
import { fromMarkdown } from "mdast-util-from-markdown";
import { gfmTaskListItemFromMarkdown } from "mdast-util-gfm-task-list-item";
import { gfmTaskListItem } from "micromark-extension-gfm-task-list-item";
import { expect, test } from "vitest";
import { parseMarkdown, scanTasks } from "../../src/fs-protocol/tasks/tasks-scan.ts";

/** Lines whose meaning depends on those around them. */
const LINES = [
  "",
  "",
  "# H",
  "## Milestone: A",
  "## Milestone: B",
  "### 1. [x] `C` <!-- ",
  "#",
  " ## Milestone: D",
  "#hash",
  "- [ ] a",
  "- [x] b",
  "  - [ ] step",
  "1. [ ] c",
  "  more",
  "> quoted",
  "> ```",
  "- ```",
  "  ```",
  "```",
  "```sh",
  "``` `",
  "````",
  "~~~",
  "    ```",
  "\t```",
  "``` ",
  "<!--",
  "<!-- x -->",
  "<!-->",
  "<!--->",
  "-->",
  "--> x",
  "- <!--",
  "> <!--",
  "<div>",
  "</div>",
  "<x-y>",
  "<script>",
  "</script>",
  "<?php",
  "?>",
  "<!DOCTYPE",
  "<![CDATA[",
  "]]>",
  "text",
  "===",
  "---",
  "[a]: b",
  '"title',
  "    code",
  "* * *",
  "\u2028# H",
  "\ufeff# H",
];

const END = fc.constantFrom("\n", "\n", "\n", "\r\n", "\r");
const line = fc.oneof(
  { weight: 20, arbitrary: fc.constantFrom(...LINES) },
  { weight: 1, arbitrary: fc.string({ unit: "binary", maxLength: 8 }) },
);
const text = fc
  .array(fc.tuple(line, END), { maxLength: 24 })
  .map((lines) => lines.map((parts) => parts.join("")).join(""));

/** Forgets all texts that were scanned recently. */
function forgetTexts(): void {
  for (const lines of [1, 2, 3, 4]) scanTasks("other\n".repeat(lines));
}

/** The same syntax, parsed at once. */
function wholly(source: string) {
  const root = fromMarkdown(source.replace(/^\ufeff/, " "), {
    extensions: [
      gfmTaskListItem(),
      {
        disable: {
          null: [
            "attention",
            "autolink",
            "characterEscape",
            "characterReference",
            "codeText",
            "hardBreakEscape",
            "htmlText",
            "labelEnd",
            "labelStartImage",
            "labelStartLink",
          ],
        },
      },
    ],
    mdastExtensions: [gfmTaskListItemFromMarkdown()],
  });
  return root.children;
}

/** Without columns, which nobody reads. */
function comparable(nodes: object): unknown {
  return JSON.parse(JSON.stringify(nodes, (key, value: unknown) => (key === "column" ? 0 : value)));
}

test("a text means the same whether it is parsed at once or between its headings, and has the same positions", () => {
  fc.assert(
    fc.property(text, (source) => {
      const parsed = parseMarkdown(source);
      expect(comparable(parsed.ok ? parsed.value.nodes : [])).toEqual(comparable(wholly(source)));
    }),
    { numRuns: 1_000 },
  );
});

test("what is remembered of earlier texts changes nothing: a text reads alike before and after its variants", () => {
  fc.assert(
    fc.property(fc.array(text, { minLength: 1, maxLength: 6 }), (parts) => {
      const source = parts.join("\n## Milestone: M\n");
      const first = JSON.stringify(scanTasks(source));
      for (const part of parts) scanTasks(`${part}\n${source}`);
      expect(JSON.stringify(scanTasks(`${source} `.slice(0, -1)))).toBe(first);
      // The same text with other sections before it: all positions move, and nothing else changes. A byte order mark is
      // one at the start of a file only; before a heading anywhere else, it makes that a text.
      const plain = source.replace(/^\ufeff/u, " ");
      const moved = scanTasks(`# Before\n${plain}`);
      expect(moved.boxOffsets.map((offset) => offset - "# Before\n".length)).toEqual(
        scanTasks(plain).boxOffsets,
      );
    }),
    { examples: [[["\ufeff# H\n<x-y>\n- [ ] a\n", ""]]] },
  );
});

const TICK = fc.constantFrom(" ", "x", "X", "-", "\t");

test("a text in which only boxes changed since the last scan reads as if it was scanned anew", () => {
  let shared = 0;
  fc.assert(
    fc.property(
      fc.array(text, { minLength: 1, maxLength: 4 }),
      fc.array(fc.tuple(fc.nat(), TICK), { minLength: 1, maxLength: 5 }),
      (parts, changes) => {
        const before = parts.join("\n\n## Milestone: M\n\n- [ ] a\n");
        forgetTexts();
        const { boxOffsets, milestones } = scanTasks(before);
        // Most of the places are boxes, and some are between other brackets.
        const places = [...boxOffsets, ...boxOffsets, ...bracketed(before)];
        const units = before.split("");
        for (const [at, tick] of changes) {
          const place = places[at % places.length];
          if (place !== undefined) units[place] = tick;
        }
        const after = units.join("");
        const next = scanTasks(after);
        if (after !== before)
          shared += next.milestones.filter((one) => milestones.includes(one)).length;
        forgetTexts();
        expect(next).toEqual(scanTasks(after));
      },
    ),
    { numRuns: 1_000 },
  );
  // Otherwise nothing but the slow path was tested.
  expect(shared).toBeGreaterThan(0);
});

/** Where a box might be. */
function bracketed(source: string): readonly number[] {
  return [...source.matchAll(/\[(?=.\])/g)].map(({ index }) => index + 1);
}
