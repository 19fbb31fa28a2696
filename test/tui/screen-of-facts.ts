import type { ScreenFacts } from "../../src/views/screen/screen-facts.ts";
import { screenFacts, type Beside } from "../../src/views/screen/screen-of-status.ts";
import { plainText, span, type Row, type Span, type Speaker } from "../../src/views/rows/row.ts";
import { speakerRow } from "../../src/views/rows/speaker-row.ts";
import type { MilestoneStatus } from "../../src/views/status/milestone-status.ts";
import { statusView, type StatusView } from "../../src/views/status/status-view.ts";
import { factsOf } from "../cli/session-states.ts";

const ROLE = { isUnsupervised: false, unit: undefined, output: undefined, refused: undefined };
const ITEM = { level: "blocking", file: undefined, line: undefined, attempts: 0 } as const;
const TOKENS = { input: 1_000_000, output: 200_000, cached: 0 };

/** A milestone without any finished task. */
export const MILESTONE: MilestoneStatus = {
  ...{ name: "API", tasksDone: 0, tasks: 1 },
  ...{ isFinished: false, isReviewed: false, isTested: false },
  ...{ gaveUp: [], stalled: 0, isSetAside: false },
};

/** A session in progress. */
const VIEW: StatusView = {
  ...statusView(factsOf({})),
  ...{ session: "invoices", branch: "wisp/invoices", state: "RUNNING", stage: "window" },
  ...{ isSupervised: true, drainLeftMs: 80_000, degraded: [], questions: [] },
  roles: [
    { ...ROLE, role: "planner", state: "waits", isRunning: true, says: "waits for work" },
    { ...ROLE, role: "builder", state: "waits", isRunning: true, says: "waits for the reviewer" },
    {
      ...ROLE,
      role: "reviewer",
      state: "works",
      isRunning: true,
      says: 'works at reviewing "API"',
    },
    { ...ROLE, role: "tester", state: "interrupted", isRunning: false, says: "was interrupted" },
  ],
  milestones: [
    {
      ...{ ...MILESTONE, name: "Schema", tasksDone: 3, tasks: 3 },
      ...{ isFinished: true, isReviewed: true, isTested: true },
    },
    { ...MILESTONE, tasksDone: 1, tasks: 4 },
  ],
  reviewed: { commits: 3, of: 5 },
  openItems: [
    {
      ...ITEM,
      ...{ id: "COR-1", kind: "finding", brief: "Off by one", isBlocking: true, state: "open" },
    },
    {
      ...ITEM,
      ...{ id: "BUG-1", kind: "bug", brief: "It crashes", isBlocking: true, state: "open" },
    },
  ],
  spent: {
    ...{ turns: 12, tokens: TOKENS, turnsOfUnknownTokens: 0, durationMs: 0 },
    ...{ costUsd: 3.2, turnsOfUnknownCost: 0 },
  },
};

function eventRow(time: string, speaker: Speaker, words: Span): Row {
  return [span("faint", `${time} `), ...speakerRow(speaker, words)];
}

const BESIDE: Beside = {
  events: {
    first: 0,
    rows: [
      eventRow("13:04:05", "wisp", span("faint", "starts the builder")),
      eventRow("13:04:09", "builder", span("good", 'finished "Schema"')),
    ],
  },
  signs: { reviewer: { beganMs: 0, pieces: 3, grewMs: 79_000, lastLine: "reading src/api.ts" } },
  nowMs: 80_000,
  tail: undefined,
  said: [],
};

/** The facts of the screen for this session, with changes. */
export function factsWith(
  view: Partial<StatusView> = {},
  beside: Partial<Beside> = {},
): ScreenFacts {
  return screenFacts({ ...VIEW, ...view }, { ...BESIDE, ...beside });
}

export const FACTS: ScreenFacts = factsWith();

/** Rows as plain text. */
export function textOf(rows: readonly Row[]): readonly string[] {
  return rows.map((row) => plainText([row]));
}
