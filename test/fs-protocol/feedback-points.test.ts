import { expect, test } from "vitest";
import { feedbackPoints } from "../../src/fs-protocol/feedback-points.ts";

test("every item of a list and every paragraph of a feedback is a point", () => {
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
    "Last words.",
  ].join("\n");
  expect(feedbackPoints(feedback)).toEqual([
    "The header is missing, in both files.",
    "quote commas also in names",
    "and tabs",
    "nested",
    "Last words.",
  ]);
});

test("a feedback without a point is one, and none at all has none", () => {
  expect(feedbackPoints("### RI-002: other")).toEqual(["### RI-002: other"]);
  expect(feedbackPoints(" \n\t\n")).toEqual([]);
});
