import { expect, test } from "vitest";
import { NO_QUESTION, QUESTION_READ_MS, seenAfter, unreadAt } from "../../src/tui/seen-question.ts";

test("a question counts as read once it has been on the screen for a moment, however often that is drawn", () => {
  let seen = seenAfter(NO_QUESTION, "builder-1", 1_000);
  seen = seenAfter(seen, "builder-1", 1_000 + QUESTION_READ_MS - 1);
  expect(unreadAt(seen, 1_000 + QUESTION_READ_MS - 1)).toBe("builder-1");
  expect(unreadAt(seen, 1_000 + QUESTION_READ_MS)).toBeUndefined();
});

test("another question in its place is unread again", () => {
  const seen = seenAfter(seenAfter(NO_QUESTION, "builder-1", 0), "tester-1", 5_000);
  expect(unreadAt(seen, 5_001)).toBe("tester-1");
  expect(unreadAt(seenAfter(seen, undefined, 5_002), 5_003)).toBeUndefined();
});
