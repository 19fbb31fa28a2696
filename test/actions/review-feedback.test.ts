import { expect, test } from "vitest";
import { readComments } from "../../src/actions/revise/review-feedback.ts";

test("a comment is given as one argument or two, and may be repeated", () => {
  const words = ["src/a.js:3 too long", "src/b.js:4", "no header", "c.js:1 a:2 b"];
  expect(readComments(words)).toEqual([
    { place: "src/a.js:3", text: "too long" },
    { place: "src/b.js:4", text: "no header" },
    { place: "c.js:1", text: "a:2 b" },
  ]);
});

test.each([
  [["src/a.js too long"]],
  [["src/a.js:0", "x"]],
  [["src/a.js:3"]],
  [["src/a.js:3 x", "invoices"]],
])("%j is refused as a comment", (words) => {
  expect(() => readComments(words)).toThrow('"kind":"usage"');
});
