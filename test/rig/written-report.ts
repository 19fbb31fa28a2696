import { NOT_BEGUN } from "../../src/views/report/recorded-milestones.ts";
import { reportView, type ReportView } from "../../src/views/report/report-view.ts";
import type { Timeline, TurnSpan } from "../../src/views/report/timeline.ts";
import { statusView } from "../../src/views/status/status-view.ts";
import { factsOf, json, oid, type Story } from "../cli/session-states.ts";
import { finding } from "./records.ts";

const HASH = "a".repeat(64);
const NOON_MS = Date.UTC(2026, 10, 20, 12);
const EMPTY: Timeline = { spans: [], marks: [], fromMs: undefined, toMs: undefined };

function storyWith(names: readonly string[], brief: string): Story {
  const milestones = json(names.map((name) => ({ name, tasks: [brief] })));
  const found = finding("COR-3fa2b1", { brief, issue: brief, file: "a.ts", line: 3 });
  return {
    builder: [`plan.adopt seq=0 plan=${HASH} request=0 milestones=${milestones}`],
    reviewer: [
      `review.end unit=commit:${oid("1")} checkpoint=${oid("1")} outcome=reviewed findings=${json([found])}`,
    ],
    commits: [oid("1")],
  };
}

/** The report of a session whose plan has these milestones, with the brief in each text of them. */
export function writtenReport(
  names: readonly string[],
  brief: string,
  timeline = EMPTY,
): ReportView {
  const facts = factsOf(storyWith(names, brief));
  return reportView({
    session: facts.session,
    read: { status: statusView(facts), state: facts.state },
    trouble: [],
    unread: [],
    passedOver: 0,
    timeline,
    milestones: new Map(names.map((name) => [name, NOT_BEGUN])),
    divergences: [{ what: brief, reason: brief, milestone: names[0], atMs: NOON_MS }],
    nowMs: NOON_MS,
  });
}

function turnAt(at: number, reason: string): TurnSpan {
  return {
    kind: "turn",
    lane: "builder",
    fromMs: NOON_MS + at * 1_000,
    toMs: NOON_MS + at * 1_000 + 900,
    outcome: "failed",
    failure: "crash",
    reason,
    unit: "build:One:1",
    purpose: "build",
    attempt: 1,
    milestone: "One",
    engine: "codex",
    model: undefined,
    costUsd: undefined,
    tokens: undefined,
    output: `turn-${String(at)}`,
  };
}

/** As many turns of the builder, one after the other, which failed for the reason. */
export function failedTurns(turns: number, reason: string): Timeline {
  const spans = Array.from({ length: turns }, (_, at) => turnAt(at, reason));
  return { spans, marks: [], fromMs: NOON_MS, toMs: NOON_MS + turns * 1_000 };
}
