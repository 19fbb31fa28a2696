import type { Role } from "../../base/role.ts";
import { brokenServerWords, tellingInput } from "../../engines/events/call-words.ts";
import type { EngineEvent, Trouble } from "../../engines/events/engine-event.ts";
import { cleanText } from "../../base/words/clean-text.ts";
import { turnWords } from "../cost/cost-rows.ts";
import { describeUnit } from "../../workspace/session/describe-unit.ts";
import { formatDuration } from "../../base/words/format-duration.ts";
import { because, count, sentence, type Sentence } from "../../base/words/sentence.ts";
import type { LoggedTurn } from "./turn-list.ts";

/** The longest line of a model's words, which the terminal wraps. */
const LINE_CHARS_MAX = 4_000;
const INPUT_CHARS_MAX = 200;
const RESULT_CHARS_MAX = 600;
const RESULT_LINES_MAX = 6;

/** The heading above the output of a turn. */
export function turnHeading({ role, begin }: LoggedTurn): Sentence {
  const { unit, engine, time, part, resume } = begin;
  const words = [
    `${role}: ${describeUnit(unit)}${part === undefined ? "" : ` (${part})`}`,
    engine,
    ...(resume === undefined ? [] : ["resuming its session"]),
    time,
  ];
  return sentence("faint", `── ${words.join(" · ")}`);
}

/** The sentence that is shown if there is no turn. */
export function noTurnWords(role: Role | undefined): string {
  return role === undefined ? "No role has had a turn yet." : `The ${role} has not had a turn yet.`;
}

/** How a turn ended, and what it used; undefined while it runs. */
export function turnEnding({ begin, end }: LoggedTurn): Sentence | undefined {
  if (end === undefined) return undefined;
  const { outcome, reason, cost, tokens, model, denied = 0, refused = "" } = end;
  const took = formatDuration(Date.parse(end.time) - Date.parse(begin.time));
  const calls = denied === 0 ? [] : [`${count(denied, "call")} refused${because(refused)}`];
  const known = model === undefined ? [] : [model];
  const notes = [took, ...known, turnWords(tokens, cost), ...calls];
  const text = `── ${ENDINGS[outcome]}${because(reason)} (${notes.join(", ")})`;
  return sentence(outcome === "failed" ? "bad" : outcome === "ended" ? "good" : "ask", text);
}

const ENDINGS = {
  ended: "ended",
  "needs-input": "asks you",
  blocked: "is blocked",
  failed: "failed",
  stopped: "was stopped",
} as const;

/** One line of a model's words or of a command's output, with its indentation. */
export function textLine(text: string): Sentence {
  const clean = cleanText(text, { charsMax: LINE_CHARS_MAX, lines: "many" });
  return { tone: "plain", text: clean.replaceAll("\n", " ") };
}

/** The lines for one event. The caller joins and shows the model's words itself. */
export function eventLines(event: EngineEvent): readonly Sentence[] {
  switch (event.kind) {
    case "session": {
      const { session, model, version } = event;
      const words = [`session ${session}`, model, version].filter((word) => word !== undefined);
      return [sentence("faint", words.join(" · "))];
    }
    case "tool-call":
      return [sentence("plain", `▸ ${event.name} ${inputWords(event.input)}`)];
    case "tool-result":
      return event.isRefused === true
        ? [sentence("ask", `  refused: ${event.text}`)]
        : resultLines(event.text, event.isError);
    case "retry":
      return [sentence("ask", `retrying: ${troubleWords(event.trouble)}`)];
    case "denial": {
      const { tool, input } = event.denial;
      return [sentence("ask", `was refused ${tool} ${inputWords(input)}`)];
    }
    case "broken-server":
      return [sentence("ask", brokenServerWords(event.server))];
    case "limit":
      return event.isReached ? [sentence("ask", "a limit is reached")] : [];
    case "error":
      return [sentence("bad", `error: ${troubleWords(event.trouble)}`)];
    case "result": {
      const refused = event.denials.map(({ tool, input }) =>
        sentence("ask", `was refused ${tool} ${inputWords(input)}`),
      );
      const how = event.isSuccess ? "reports success" : "reports failure";
      return [...refused, sentence(event.isSuccess ? "faint" : "bad", how)];
    }
    // The end of the turn shows the totals.
    case "usage":
    case "model":
    case "text":
    case "unknown":
      return [];
  }
}

function inputWords(input: string): string {
  return cleanText(tellingInput(input) ?? input, { charsMax: INPUT_CHARS_MAX, lines: "one" });
}

function resultLines(text: string, isError: boolean): readonly Sentence[] {
  const clean = cleanText(text, { charsMax: RESULT_CHARS_MAX, lines: "many" });
  const lines = clean.split("\n").filter((line) => line.trim() !== "");
  const shown = lines.slice(0, RESULT_LINES_MAX);
  const more = lines.length > shown.length ? ["…"] : [];
  return [...shown, ...more].map((line) => ({
    tone: isError ? "bad" : "faint",
    text: `  ${line}`,
  }));
}

function troubleWords({ message, status, code }: Trouble): string {
  const about = [status, code].filter((word) => word !== undefined).map(String);
  return about.length === 0 ? message : `${message} (${about.join(", ")})`;
}
