import { assert } from "../assert.ts";

/** How `cleanText` treats length and lines. */
export interface CleanOptions {
  /** The maximum length of the result in UTF-16 code units, the ellipsis of a cut included; at least 1. */
  readonly charsMax: number;
  /**
   * `one` folds all white space to single spaces; `many` keeps line breaks and indentation, but no blank lines
   * around the text.
   */
  readonly lines: "one" | "many";
}

/**
 * Makes text from models, files and commands safe to print and to store: without escape sequences, control or
 * format characters (such as bidirectional overrides) and lone surrogates, and of limited length. Tabs and line
 * breaks are the only control characters that remain, and only with `many`.
 *
 * Callers rely on two properties: cleaning twice changes nothing, and the time is linear in the input.
 */
export function cleanText(text: string, options: CleanOptions): string {
  assert(options.charsMax >= 1, "a bound on text leaves room for the ellipsis");
  const bare = text
    .replace(CONTROL_STRING, "")
    .replace(ESCAPE_SEQUENCE, "")
    .replace(LINE_BREAK, "\n")
    .replace(UNPRINTABLE, "");
  return bounded(options.lines === "one" ? foldLines(bare) : tidyLines(bare), options.charsMax);
}

const ESC = "\u001B";

// An OSC, DCS, SOS, PM or APC string with its terminator. Its body may not contain any control character, so that
// an unterminated string hides no later line, and no input is scanned twice.
const CONTROL_STRING = new RegExp(
  `(?:${ESC}[\\]PX^_]|[\u0090\u0098\u009D-\u009F])\\P{Cc}*(?:\u0007|${ESC}\\\\|\u009C)`,
  "gu",
);

// A CSI sequence (7 or 8 bit), or any shorter escape sequence.
const ESCAPE_SEQUENCE = new RegExp(`(?:${ESC}\\[|\u009B)[0-?]*[ -/]*[@-~]|${ESC}[ -/]*[0-~]`, "gu");

// A lone carriage return moves the cursor back over printed text, which could forge a line. It becomes a line
// break.
const LINE_BREAK = /\r\n?|[\v\f\u0085\u2028\u2029]/gu;

// Cs only matches lone surrogates, because the pattern reads whole code points.
const UNPRINTABLE = /(?![\n\t])[\p{Cc}\p{Cf}\p{Cs}]/gu;

function foldLines(text: string): string {
  return text.replace(/\s+/gu, " ").trim();
}

// Line by line, because a pattern for "white space before the end" takes quadratic time in long runs of it.
function tidyLines(text: string): string {
  const lines = text.split("\n").map((line) => line.trimEnd());
  return lines.join("\n").replace(/^\n+/u, "").trimEnd();
}

function bounded(text: string, charsMax: number): string {
  if (text.length <= charsMax) return text;
  const cut = text.slice(0, charsMax - 1).replace(/\p{Cs}$/u, "");
  return `${cut.trimEnd()}…`;
}
