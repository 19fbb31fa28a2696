import { expect, test } from "vitest";
import { toolWords, withTools } from "../../src/mcp/answers/tool-words.ts";

test.each([
  ["wisp status", "work_status"],
  ["wisp resume a-request", 'resume_session with session "a-request"'],
  ["wisp up 'a request'", 'resume_session with session "a request"'],
  ["wisp abandon a/revision-2", 'abandon_revision with session "a/revision-2"'],
  ["wisp abandon a", "ask the user to run: wisp abandon a"],
  ["wisp review a --approve", "approve_changes"],
  ['wisp review a --request-revision "what"', "request_revision"],
  ["wisp review a", 'review_changes with session "a"'],
  ["wisp answer a builder-q1", 'answer_question with session "a"'],
  ["wisp findings a --open", 'list_findings with session "a"'],
  ["wisp findings dismiss a X", "ask the user to run: wisp findings dismiss a X"],
  ["wisp done a", "ask the user to run: wisp done a"],
  // Decisions that are left to a person.
  ["wisp resume a --fix", "ask the user to run: wisp resume a --fix"],
  ["wisp resume a --budget turns=4", "ask the user to run: wisp resume a --budget turns=4"],
  ["git log abc..def", "review_changes"],
  [
    "git log refs/wisp/rescue/a/abandoned",
    "ask the user to run: git log refs/wisp/rescue/a/abandoned",
  ],
  ["kill 4711", "try again in a moment"],
])("rewrites %s for a model as: %s", (command, words) => {
  expect(toolWords(command)).toBe(words);
});

test("replaces commands in a text with tools, and leaves other mentions of wisp", () => {
  expect(withTools("1 commit after 51fd2a8e0c is not reviewed: wisp resume a/revision-1")).toBe(
    '1 commit after 51fd2a8e0c is not reviewed: resume_session with session "a/revision-1"',
  );
  expect(withTools("too many points; for more, use `wisp revise`")).toBe(
    "too many points; for more, use `wisp revise` (which the user runs)",
  );
  expect(withTools("To run it: wisp up a: it waits, wisp done a")).toBe(
    'To run it: resume_session with session "a": it waits, `wisp done a` (which the user runs)',
  );
  expect(withTools("This is what a later wisp made.")).toBe("This is what a later wisp made.");
});
