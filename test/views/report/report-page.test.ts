import { createHash } from "node:crypto";
import { expect, test } from "vitest";
import { NOT_BEGUN } from "../../../src/views/report/recorded-milestones.ts";
import { headline } from "../../../src/views/report/headline.ts";
import { reportPage } from "../../../src/views/report/page/report-page.ts";
import { reportMarkdown } from "../../../src/views/report/report-markdown.ts";
import { reportView, type ReportView } from "../../../src/views/report/report-view.ts";
import type { Timeline, TurnSpan } from "../../../src/views/report/timeline.ts";
import { statusView } from "../../../src/views/status/status-view.ts";
import { finding } from "../../rig/records.ts";
import { factsOf, json, oid, type Story } from "../../cli/session-states.ts";

const HASH = "a".repeat(64);
const HOSTILE = `</script><img src=x onerror="alert(1)">&"'\`| [x](javascript:x) @everyone`;
const EMPTY: Timeline = { spans: [], marks: [], fromMs: undefined, toMs: undefined };
const NOON_MS = Date.UTC(2026, 10, 20, 12);

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

function viewOf(names: readonly string[], brief: string, timeline = EMPTY): ReportView {
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

function timelineOf(turns: number, reason: string): Timeline {
  const spans = Array.from({ length: turns }, (_, at) => turnAt(at, reason));
  return { spans, marks: [], fromMs: NOON_MS, toMs: NOON_MS + turns * 1_000 };
}

test("text from models and files stays text, wherever it is on the page", () => {
  const page = reportPage(viewOf([HOSTILE], HOSTILE, timelineOf(1, HOSTILE)));
  expect(page).not.toMatch(/<img|<\/script><img/u);
  expect(page.match(/&#x3C;\/script>/gu)?.length).toBeGreaterThanOrEqual(5);
  expect(page.match(/<script/gu)).toHaveLength(1);
});

test("the page permits exactly the style and the script that are in it, and nothing from elsewhere", () => {
  const page = reportPage(viewOf(["One"], "Brief"));
  const policy = /content="(default-src[^"]*)"/u.exec(page)?.[1]?.replaceAll("&#x27;", "'") ?? "";
  for (const [tag, directive] of [
    ["style", "style-src"],
    ["script", "script-src"],
  ] as const) {
    const text = new RegExp(`<${tag}>([\\s\\S]*?)</${tag}>`, "u").exec(page)?.[1] ?? "";
    const digest = createHash("sha256").update(text).digest("base64");
    expect(policy).toContain(`${directive} 'sha256-${digest}'`);
  }
  expect(policy).toContain("default-src 'none'");
  expect(page).not.toMatch(/\b(?:src|href|style)=/u);
});

test("each of 1,000 milestones and 4,000 turns is on the page", () => {
  const names = Array.from({ length: 1_000 }, (_, at) => `Milestone ${String(at)}`);
  const page = reportPage(viewOf(names, "Brief", timelineOf(4_000, "why")));
  expect(page.match(/<rect /gu)).toHaveLength(4_000);
  expect(page.match(/<td class="strong">Milestone /gu)).toHaveLength(1_000);
  expect(page).toContain("0 of 1000");
});

test("Markdown from models and files has no effect in the Markdown form", () => {
  const text = reportMarkdown(viewOf([HOSTILE], HOSTILE, timelineOf(1, HOSTILE)));
  expect(text).not.toMatch(/(?<!\\)<img|(?<!\\)\[x\]|@everyone/u);
  for (const line of text.split("\n").filter((one) => one.startsWith("|"))) {
    // As many cells as its table has columns: no bar of the text ends one.
    expect([6, 8]).toContain(line.match(/(?<!\\)\|/gu)?.length);
  }
});

test("a session whose state cannot be read is never called complete, and the report says why", () => {
  const view = { ...viewOf(["One"], "Brief"), status: undefined, trouble: ["The log is gone."] };
  expect(headline(view)).toEqual({
    tone: "bad",
    text: "The state of this session cannot be read: The log is gone.",
  });
  for (const text of [reportPage(view), reportMarkdown(view)]) {
    expect(text).toContain("The log is gone");
    expect(text).not.toMatch(/complete/iu);
  }
});
