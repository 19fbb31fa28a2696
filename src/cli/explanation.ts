import { cleanText } from "../fs-protocol/clean-text.ts";

/** A failure in words: what happened, to what, and what to do next. */
export interface Explanation {
  /** For programs; the failure's kind. */
  readonly code: string;
  /** One sentence or two, without a full stop where it ends in something to copy. */
  readonly message: string;
  /** What to do about it, in words. */
  readonly hint: string | undefined;
  /** Lines of their own below the hint that are no commands: mistakes by their place, a line for a file. */
  readonly details: readonly string[];
  /** What to do about it, as commands, and nothing else. */
  readonly next: readonly string[];
  readonly exitCode: number;
}

/** The words of an explanation, before its code and exit code are added. */
export type Words<Line = string | Detail> = readonly [
  message: string,
  hint?: string | undefined,
  ...lines: Line[],
];

/** A line that is no command. */
export interface Detail {
  readonly detail: string;
}

const SHOWN_CHARS_MAX = 300;

/** Text of the world, safe to print, on one line. */
export function shown(text: string): string {
  return cleanText(text, { charsMax: SHOWN_CHARS_MAX, lines: "one" });
}
