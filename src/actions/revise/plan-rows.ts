import { cleanText } from "../../base/words/clean-text.ts";
import { row, span, type Row } from "../../views/rows/row.ts";

const PLAN_CHARS_MAX = 1024 * 1024;

/**
 * A plan in Markdown for a terminal: headings and labels stand out, boxes are drawn. Without
 * colours it stays plain Markdown, which reads just as well.
 */
export function planRows(markdown: string, hasColors: boolean): readonly Row[] {
  const text = cleanText(markdown, { charsMax: PLAN_CHARS_MAX, lines: "many" });
  let isCode = false;
  return text.split("\n").map((line) => {
    if (!hasColors) return row(line);
    if (/^ {0,3}(?:```|~~~)/u.test(line)) {
      isCode = !isCode;
      return row(span("faint", line));
    }
    return isCode ? row(line) : formatted(line);
  });
}

function formatted(line: string): Row {
  const heading = /^ {0,3}#{1,6}[ \t]+(.*?)[ \t]*#*$/u.exec(line)?.[1];
  if (heading !== undefined) return row(span("strong", heading));
  // Labels are every second part.
  const parts = line
    .replace(/^([ \t]*)[-*+][ \t]+\[ \][ \t]+/u, "$1  ☐ ")
    .replace(/^([ \t]*)[-*+][ \t]+/u, "$1  • ")
    .split(/\*\*([^*]+)\*\*/u)
    .map((part) => part.replace(/`([^`]+)`/gu, "$1"));
  return parts.map((part, at) => span(at % 2 === 1 ? "strong" : "plain", part));
}
