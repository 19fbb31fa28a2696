import fc from "fast-check";
import { expect, test } from "vitest";
import {
  criterionOf,
  feedbackPoints,
  remarkOf,
} from "../../src/fs-protocol/findings/feedback-points.ts";

test("every list item and every paragraph of feedback is a point", () => {
  const feedback = [
    "# What I found",
    "The header is missing,",
    "in both files.",
    "",
    "- [x] quote commas",
    "  also in names",
    "* and tabs",
    "  1. nested",
    "```js",
    "const a = 1;",
    "```",
    "",
    "> As Ada said.",
    "",
    "Last words.",
  ].join("\n");
  expect(feedbackPoints(feedback)).toEqual([
    "The header is missing, in both files.",
    "quote commas also in names",
    "and tabs",
    "nested",
    "As Ada said.",
    "Last words.",
  ]);
});

test("labels, headings, tags, comments, rules and empty list items are not points", () => {
  const feedback = [
    "<revision-plan>",
    "### RI-001: The header",
    "<!-- internal:",
    "nothing -->",
    "**Description:** The header is missing",
    "",
    "**Acceptance Criteria:**",
    "- [ ] ",
    "-",
    "- **Bug:** no total",
    "* * *",
    "Also this:",
    "- [ ] no footer",
    "</revision-plan><revision-plan>",
    "__Notes:__",
    "</revision-plan>",
  ].join("\n");
  expect(feedbackPoints(feedback)).toEqual(["The header is missing", "no total", "no footer"]);
});

test("feedback without points gives its headings, or one point as a whole; empty feedback gives none", () => {
  expect(feedbackPoints("### RI-002: other")).toEqual(["RI-002: other"]);
  expect(feedbackPoints("```\nTypeError: x\n```")).toEqual(["the feedback as a whole"]);
  for (const empty of [" \n\t\n", "</revision-plan>", "- [ ]", "**Acceptance Criteria:**", "---"]) {
    expect(feedbackPoints(empty)).toEqual([]);
  }
});

test("a point does not include a label after a place, or tags that an engine puts around it", () => {
  const feedback = [
    "<review>The header is missing",
    "- hello.txt:1: **Fix:** quotes, too </comment>",
    "- `src/a.js` - **Issue**: no dot </review>",
    "1. <item>no footer</item>",
    "</feedback>",
  ].join("\n");
  expect(feedbackPoints(feedback)).toEqual([
    "The header is missing",
    "hello.txt:1: quotes, too",
    "`src/a.js` - no dot",
    "no footer",
  ]);
  expect(remarkOf("**Fix:** quotes, too </tag>")).toBe("quotes, too");
  expect(remarkOf("**Fix:**")).toBe("**Fix:**");
});

test("a tag that feedback is about stays in its point", () => {
  for (const point of [
    "The page lacks a </body>",
    "<header> is missing",
    "close it with `</my-widget>`",
    "write <my-widget>x</my-widget>",
    "the type is Map<string>",
  ]) {
    expect(feedbackPoints(point)).toEqual([point]);
    expect(remarkOf(point)).toBe(point);
  }
});

test("the criterion of a point says that the point was addressed", () => {
  expect(criterionOf("The header is missing")).toBe("Addressed: The header is missing");
});

test("any feedback gives points of one line that are not empty", () => {
  const piece = fc.oneof(
    fc.constantFrom(
      "- ",
      "[ ] ",
      "\n",
      "\n\n",
      "<!--",
      "-->",
      "</plan>",
      "**A:**",
      "# ",
      "> ",
      "```\n",
    ),
    fc.string({ unit: "grapheme" }),
  );
  fc.assert(
    fc.property(fc.array(piece), (pieces) => {
      for (const point of feedbackPoints(pieces.join(""))) {
        expect(point).toMatch(/[\p{L}\p{N}]/u);
        expect(point).not.toContain("\n");
      }
    }),
  );
});
