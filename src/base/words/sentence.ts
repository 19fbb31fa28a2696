import { REASON_CHARS_MAX } from "../limits.ts";
import { cleanText } from "./clean-text.ts";

/** The tone of a sentence, which the terminal shows as a colour. */
export type Tone = "good" | "bad" | "ask" | "plain" | "faint";

/** One line for people, uncoloured and safe to print. */
export interface Sentence {
  readonly text: string;
  readonly tone: Tone;
}

/**
 * One or two terminal lines. Questions and errors may be longer, because people read them to the end before they
 * act.
 */
const SENTENCE_CHARS_MAX = 400;
const WHOLE_CHARS_MAX = REASON_CHARS_MAX + SENTENCE_CHARS_MAX;

/** Makes a sentence from text that may contain a model's words. */
export function sentence(tone: Tone, text: string): Sentence {
  const charsMax = tone === "ask" || tone === "bad" ? WHOLE_CHARS_MAX : SENTENCE_CHARS_MAX;
  return { tone, text: cleanText(text, { charsMax, lines: "one" }) };
}

/** `: reason` if there is a reason, otherwise nothing. */
export function because(reason: string | undefined): string {
  return reason === undefined || reason === "" ? "" : `: ${reason}`;
}

/** `1 commit`, `2 commits`. */
export function count(number: number, noun: string): string {
  return `${String(number)} ${noun}${number === 1 ? "" : "s"}`;
}
