import type { ScreenFacts } from "../../src/views/screen/screen-facts.ts";
import type { Row } from "../../src/views/rows/styled-row.ts";

/** A session in the midst of its work. */
export const FACTS: ScreenFacts = {
  session: "invoices",
  branch: "wisp/invoices",
  phase: "reviewing and testing",
  notices: [{ style: "plain", text: "the builder waits at most 1m 20s more" }],
  roles: [
    { role: "planner", state: "waits", isRunning: true, says: "waits for work" },
    { role: "builder", state: "waits", isRunning: true, says: "waits for the reviewer" },
    { role: "reviewer", state: "works", isRunning: true, says: 'works at reviewing "API"' },
    { role: "tester", state: "interrupted", isRunning: false, says: "was interrupted" },
  ],
  milestones: [
    {
      ...{ name: "Schema", tasksDone: 3, tasks: 3 },
      ...{ isFinished: true, isReviewed: true, isTested: true },
    },
    {
      ...{ name: "API", tasksDone: 1, tasks: 4 },
      ...{ isFinished: false, isReviewed: false, isTested: false },
    },
  ],
  reviewed: { commits: 3, of: 5 },
  openItems: [
    { id: "COR-1", kind: "finding", level: "blocking", brief: "Off by one", isBlocking: true },
    { id: "BUG-1", kind: "bug", level: "blocking", brief: "It crashes", isBlocking: true },
  ],
  spent: "12 turns, 1.20M tokens, 3.20 USD",
  questions: [],
  events: [
    { speaker: "wisp", style: "faint", text: "starts the builder" },
    { speaker: "builder", style: "good", text: 'finished "Schema"' },
  ],
  tail: undefined,
  said: [],
};

/** Rows as plain text. */
export function textOf(rows: readonly Row[]): readonly string[] {
  return rows.map((row) => row.map(({ text }) => text).join(""));
}
