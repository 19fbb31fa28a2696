import { REASON_CHARS_MAX } from "../../base/limits.ts";
import { readLastMessage, type LastMessage } from "../../fs-protocol/findings/last-message.ts";
import { cleanText } from "../../base/words/clean-text.ts";
import type { TurnOutcome } from "../engine.ts";

/** The outcome of a successful turn, from the last word in its answer. */
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
  const text = [question, error, summary].find((text) => text !== undefined && text !== "");
  return text ?? "It did not say what it needs; see its output.";
}

/** Turns an outside reason into a single line of limited length. */
export function reasonLine(reason: string): string {
  return cleanText(reason, { charsMax: REASON_CHARS_MAX, lines: "one" });
}

/** The outcome of a turn that failed for an outside reason. */
export function failedTurn(reason: string): Extract<TurnOutcome, { kind: "failed" }> {
  return { kind: "failed", reason: reasonLine(reason) };
}
