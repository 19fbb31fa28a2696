import { REASON_CHARS_MAX } from "../../base/limits.ts";
import { readLastMessage, type LastMessage } from "../../fs-protocol/findings/last-message.ts";
import { cleanText } from "../../base/words/clean-text.ts";
import type { TurnOutcome } from "../engine.ts";

/** The outcome of a turn that ended well, by the last word in its answer. */
export function outcomeOfWord(text: string): TurnOutcome {
  const word = readLastMessage(text);
  const { status, summary = "" } = word;
  switch (status) {
    case "CONTINUE":
    case "DONE":
      return { kind: "ended", status, summary, text };
    case "NEEDS_INPUT":
      return { kind: "needs-input", question: questionIn(word) };
    case "BLOCKED":
      return { kind: "blocked", question: questionIn(word) };
  }
}

function questionIn({ question, error, summary }: LastMessage): string {
  const said = [question, error, summary].find((text) => text !== undefined && text !== "");
  return said ?? "It did not say what it needs; see its output.";
}

/** A reason of the world as one bounded line. */
export function reasonLine(reason: string): string {
  return cleanText(reason, { charsMax: REASON_CHARS_MAX, lines: "one" });
}

/** A turn that failed for a reason of the world. */
export function failedTurn(reason: string): Extract<TurnOutcome, { kind: "failed" }> {
  return { kind: "failed", reason: reasonLine(reason) };
}
