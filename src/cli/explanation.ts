import { cleanText } from "../fs-protocol/clean-text.ts";

/** A failure in words: what happened, to what, and what to do next. */
export interface Explanation {
  /** For programs; the failure's kind. */
  readonly code: string;
  /** One sentence or two, without a full stop where it ends in something to copy. */
  readonly message: string;
  /** What to do about it, in words. */
  readonly hint: string | undefined;
  /** What to do about it, as commands. */
  readonly next: readonly string[];
  readonly exitCode: number;
}

/** The words of an explanation, before its code and exit code are added. */
export type Words = readonly [message: string, hint?: string | undefined, ...next: string[]];

const SHOWN_CHARS_MAX = 300;

/** Text of the world, safe to print, on one line. */
export function shown(text: string): string {
  return cleanText(text, { charsMax: SHOWN_CHARS_MAX, lines: "one" });
}
