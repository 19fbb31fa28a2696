import { expect, test } from "vitest";
import { answerTo, questionFields } from "../../src/work/unit.ts";

test("questions of a role are counted from 1", () => {
  expect(questionFields("builder", 0, "Which port?")).toEqual({
    question: "builder-1",
    ask: "Which port?",
  });
  expect(questionFields("tester", 4, "Which port?").question).toBe("tester-5");
});

test("a hostile question becomes one bounded line", () => {
  const { ask } = questionFields("planner", 0, `\u001b]0;title\u0007Why\n${"?".repeat(9_999)}`);
  expect(ask.startsWith("Why ???")).toBe(true);
  expect(ask.length).toBeLessThanOrEqual(1_000);
});

const asked = [
  { id: "builder-1", unit: "build:One:1", ask: "Which port?" },
  { id: "builder-2", unit: "build:Two:1", ask: "Which host?" },
  { id: "builder-3", unit: "build:One:1", ask: "Which path?" },
];

test("a prompt contains all answered questions of its own unit, in order, and no others", () => {
  const answers = new Map([
    ["builder-1", "80"],
    ["builder-2", "here"],
    ["builder-3", "/"],
  ]);
  expect(answerTo("build:One:1", asked, answers)).toBe(
    "You asked: Which port?\nThe answer: 80\n\nYou asked: Which path?\nThe answer: /",
  );
});

test("questions without an answer are not mentioned", () => {
  expect(answerTo("build:One:1", asked, new Map([["builder-3", "/"]]))).toBe(
    "You asked: Which path?\nThe answer: /",
  );
  expect(answerTo("build:One:1", asked, new Map())).toBe("");
});
