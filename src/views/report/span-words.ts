import { formatDuration } from "../../base/words/format-duration.ts";
import { because, sentence } from "../../base/words/sentence.ts";
import { describeUnit, quoted } from "../../workspace/session/describe-unit.ts";
import { turnWords } from "../cost/cost-rows.ts";
import type { DrainSpan, HoldSpan, TimelineSpan, TurnSpan } from "./timeline.ts";

const OUTCOMES: Readonly<Record<TurnSpan["outcome"], string>> = {
  ended: "ended",
  "needs-input": "asked a question",
  blocked: "was blocked",
  failed: "failed",
  stopped: "was stopped",
  open: "has not ended",
};

/** A stretch of the timeline in one cleaned line: whose, what, how it ended, and how long it took. */
export function spanWords(span: TimelineSpan): string {
  const { lane, fromMs, toMs } = span;
  const duration = toMs === undefined ? "" : `, ${formatDuration(toMs - fromMs)}`;
  return sentence("plain", `${lane}: ${wordsOf(span)}${duration}`).text;
}

function wordsOf(span: TimelineSpan): string {
  switch (span.kind) {
    case "turn":
      return turnSpanWords(span);
    case "drain":
      return drainWords(span);
    case "hold":
      return holdWords(span);
  }
}

function turnSpanWords(turn: TurnSpan): string {
  const { unit, engine, model, outcome, failure, reason, tokens, costUsd } = turn;
  const by = model === undefined ? engine : `${engine} (${model})`;
  const why = failure === undefined ? because(reason) : ` (${failure})${because(reason)}`;
  const used = outcome === "open" ? "" : `; ${turnWords(tokens, costUsd)}`;
  return `${describeUnit(unit)}, ${by}, ${OUTCOMES[outcome]}${why}${used}`;
}

const CAUSES: Readonly<Record<NonNullable<DrainSpan["cause"]>, string>> = {
  all: "everybody answered",
  timeout: "its time was up",
  failed: "a role had failed",
  final: "the final pass began",
};

function drainWords({ milestone, cause }: DrainSpan): string {
  const end = cause === undefined ? "is open" : `closed because ${CAUSES[cause]}`;
  return `the drain window after ${quoted(milestone)} ${end}`;
}

function holdWords({ engine, cause, reason }: HoldSpan): string {
  return `no turns with ${engine} (${cause})${because(reason)}`;
}
