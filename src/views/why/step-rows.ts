import { formatDuration } from "../../base/words/format-duration.ts";
import { localTime } from "../../base/words/local-time.ts";
import { shown } from "../../base/words/shown.ts";
import { turnWords } from "../cost/cost-rows.ts";
import { row, span, type Row } from "../rows/row.ts";
import { speakerRow } from "../rows/speaker-row.ts";
import { fileAndLine } from "../status/open-items.ts";
import { speakerOf } from "../timeline/log-names.ts";
import type { ItemSummary } from "./item-story.ts";
import type { RecordedStep, TurnOnRecord } from "./step.ts";

const INDENT = "  ";

/** A title, and rows below it; with a sentence in their place if there are none. */
export function section(title: string, rows: readonly Row[], ifNone?: string): readonly Row[] {
  if (rows.length === 0 && ifNone === undefined) return [];
  const below = rows.length > 0 ? rows : [row(span("faint", ifNone ?? ""))];
  return [row(span("strong", title)), ...furtherRight(below)];
}

/** Rows, further to the right. */
export function furtherRight(rows: readonly Row[]): readonly Row[] {
  return rows.map((one) => row(INDENT, ...one));
}

/** Steps, each with its turns below it. Their texts are clean. */
export function stepRows(steps: readonly RecordedStep[]): readonly Row[] {
  return steps.flatMap(({ time, role, text, tone, turns }) => [
    row(span("faint", localTime(time)), " ", ...speakerRow(speakerOf(role), span(tone, text))),
    ...furtherRight(turnRows(turns)),
  ]);
}

/** Turns: engine and model, attempt, time, end and usage, and below that the files of each. */
export function turnRows(turns: readonly TurnOnRecord[]): readonly Row[] {
  return turns.flatMap((turn) => [
    row(turnLine(turn)),
    ...furtherRight(turn.files.map((file) => row(span("faint", shown(file))))),
  ]);
}

function turnLine(turn: TurnOnRecord): string {
  const { engine, model, part, attempt, begin, end, outcome, tokens, costUsd } = turn;
  const name = model === null ? shown(engine) : `${shown(engine)} (${shown(model)})`;
  const which = part === null ? "" : `, ${shown(part)}`;
  const what = `turn of ${name}${which}, attempt ${String(attempt)}: began ${localTime(begin)}`;
  if (end === null || outcome === null) return `${what}; its end is not on record`;
  const took = formatDuration(Date.parse(end) - Date.parse(begin));
  const used = turnWords(tokens ?? undefined, costUsd ?? undefined);
  return `${what}, ${OUTCOMES[outcome]} after ${took}; ${used}`;
}

const OUTCOMES: Readonly<Record<NonNullable<TurnOnRecord["outcome"]>, string>> = {
  ended: "ended",
  "needs-input": "asked a question",
  blocked: "reported an obstacle",
  failed: "failed",
  stopped: "was stopped",
};

/** Findings and bugs, each with its end. */
export function itemRows(items: readonly ItemSummary[]): readonly Row[] {
  return items.flatMap((item) => {
    const { id, level, brief, state, closing } = item;
    const at = fileAndLine({ file: item.file ?? undefined, line: item.line ?? undefined });
    const where = at === "" ? "" : ` (${shown(at)})`;
    const tone = state === "open" ? "bad" : "plain";
    const line = row(
      span("strong", id),
      " ",
      span(tone, state),
      `, ${level}: ${shown(brief)}${where}`,
    );
    return [line, ...furtherRight(closing === null ? [] : stepRows([{ ...closing, turns: [] }]))];
  });
}
