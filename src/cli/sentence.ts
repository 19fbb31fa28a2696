import { cleanText } from "../fs-protocol/clean-text.ts";

/** How a sentence weighs; the terminal shows it by colour. */
export type Tone = "good" | "bad" | "ask" | "plain" | "faint";

/** One line for people, without colours, safe to print. */
export interface Sentence {
  readonly text: string;
  readonly tone: Tone;
}

/** A line of a terminal or two. */
const SENTENCE_CHARS_MAX = 400;

/** Makes a sentence of text that may hold words of models. */
export function sentence(tone: Tone, text: string): Sentence {
  return { tone, text: cleanText(text, { charsMax: SENTENCE_CHARS_MAX, lines: "one" }) };
}

/** `: because` where there is a reason, else nothing. */
export function because(reason: string | undefined): string {
  return reason === undefined || reason === "" ? "" : `: ${reason}`;
}

/** `1 commit`, `2 commits`. */
export function count(number: number, noun: string): string {
  return `${String(number)} ${noun}${number === 1 ? "" : "s"}`;
}
