import { assert } from "../../base/assert.ts";
import { REASON_CHARS_MAX } from "../../base/limits.ts";
import { cleanText } from "../../base/words/clean-text.ts";
import { isFieldText } from "./field-text.ts";

/*
 * Text within entries of PROGRESS.txt. It comes from models and commands, so a line that could be
 * taken for structure gets a leading backslash, which decoding removes again.
 */

/** Enough for every field of a finding; texts have their own, tighter bounds. */
const TEXT_CHARS_MAX = 8_000;

/** The text of a bullet, on one or more lines. */
export function bulletText(text: string): string {
  return guarded(indented(manyLines(text), "  "));
}

/** Indents every line but the first, and guards each against being read as structure. */
export function indented(text: string, indent: string): string {
  const [first = "", ...others] = text.split("\n");
  return [first, ...others.map((line) => (line === "" ? "" : indent + guarded(line)))].join("\n");
}

/** Cleans a text to several lines, none of which can be taken for structure. */
export function guardedLines(text: string): string {
  return manyLines(text).split("\n").map(guarded).join("\n");
}

/**
 * Prefixes a line with a backslash unless it consists of plain words: it could be a mark, a field
 * or a verdict.
 */
export function guarded(line: string): string {
  const isPlain = /^\s*(?:\p{L}|$)/u.test(line) && !isStructural(line.trimStart());
  return isPlain ? line : line.replace(/^\s*/u, "$&\\");
}

function isStructural(text: string): boolean {
  return isFieldText(text) || /^(?:verdict|findings|bugs)\b/iu.test(text);
}

/** The time of a record, as entries show it. */
export function minute(time: string): string {
  assert(/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}/u.test(time), "times of records are ISO 8601 in UTC");
  return `${time.slice(0, 10)} ${time.slice(11, 16)} UTC`;
}

/** A name, path or sentence, cleaned to one line. */
export function oneLine(text: string): string {
  return cleanText(text, { charsMax: REASON_CHARS_MAX, lines: "one" });
}

/** A cleaned text of several lines, without leading white space. */
export function manyLines(text: string): string {
  return cleanText(text, { charsMax: TEXT_CHARS_MAX, lines: "many" }).trimStart();
}
