import { assert } from "../../base/assert.ts";
import { REASON_CHARS_MAX } from "../../base/limits.ts";
import { cleanText } from "../../base/words/clean-text.ts";
import { isFieldText } from "./finding-collector.ts";

/*
 * The text within entries of PROGRESS.txt. Texts of models and commands stand in them, so a line of such a
 * text that could be taken for structure gets a backslash in front; decoding takes it off again.
 */

/** Enough for every field of a finding; the texts have their own, tighter bounds. */
const TEXT_CHARS_MAX = 8_000;

/** The text behind a dash, of one line or more. */
export function bulletText(text: string): string {
  return guarded(indented(manyLines(text), "  "));
}

/** Every line but the first indented, and guarded against being read as structure. */
export function indented(text: string, indent: string): string {
  const [first = "", ...others] = text.split("\n");
  return [first, ...others.map((line) => (line === "" ? "" : indent + guarded(line)))].join("\n");
}

/** Many lines, none of which can be taken for structure. */
export function guardedLines(text: string): string {
  return manyLines(text).split("\n").map(guarded).join("\n");
}

/** Puts a backslash before what could be a mark, a field or a verdict: all but lines of plain words. */
export function guarded(line: string): string {
  const isPlain = /^\s*(?:\p{L}|$)/u.test(line) && !isStructural(line.trimStart());
  return isPlain ? line : line.replace(/^\s*/u, "$&\\");
}

function isStructural(text: string): boolean {
  return isFieldText(text) || /^(?:verdict|findings|bugs)\b/iu.test(text);
}

/** The time of a record, as entries have it. */
export function minute(time: string): string {
  assert(/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}/u.test(time), "times of records are ISO 8601 in UTC");
  return `${time.slice(0, 10)} ${time.slice(11, 16)} UTC`;
}

/** A name, a path or a sentence on one line. */
export function oneLine(text: string): string {
  return cleanText(text, { charsMax: REASON_CHARS_MAX, lines: "one" });
}

/** A text of several lines, without white space before its first word. */
export function manyLines(text: string): string {
  return cleanText(text, { charsMax: TEXT_CHARS_MAX, lines: "many" }).trimStart();
}
