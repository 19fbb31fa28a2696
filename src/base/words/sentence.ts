import { REASON_CHARS_MAX } from "../limits.ts";
import { cleanText } from "./clean-text.ts";

/** How a sentence weighs; the terminal shows it by colour. */
export type Tone = "good" | "bad" | "ask" | "plain" | "faint";

/** One line for people, without colours, safe to print. */
export interface Sentence {
  readonly text: string;
  readonly tone: Tone;
}

/** A line of a terminal or two; a question, and what went wrong, is read to its end before anything is done. */
const SENTENCE_CHARS_MAX = 400;
const WHOLE_CHARS_MAX = REASON_CHARS_MAX + SENTENCE_CHARS_MAX;

/** Makes a sentence of text that may hold words of models. */
export function sentence(tone: Tone, text: string): Sentence {
  const charsMax = tone === "ask" || tone === "bad" ? WHOLE_CHARS_MAX : SENTENCE_CHARS_MAX;
  return { tone, text: cleanText(text, { charsMax, lines: "one" }) };
}

/** `: because` where there is a reason, else nothing. */
export function because(reason: string | undefined): string {
  return reason === undefined || reason === "" ? "" : `: ${reason}`;
}

/** `1 commit`, `2 commits`. */
export function count(number: number, noun: string): string {
  return `${String(number)} ${noun}${number === 1 ? "" : "s"}`;
}
