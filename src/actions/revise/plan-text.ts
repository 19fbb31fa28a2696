import { cleanText } from "../../base/words/clean-text.ts";
import type { Paint } from "../../views/rows/paint.ts";

const PLAN_CHARS_MAX = 1024 * 1024;

/**
 * A plan in Markdown for a terminal: headings and labels stand out, boxes are boxes. Without colours it is
 * the Markdown itself, which reads as well.
 */
export function planText(markdown: string, paint: Paint, hasColors: boolean): string {
  const text = cleanText(markdown, { charsMax: PLAN_CHARS_MAX, lines: "many" });
  if (!hasColors) return text;
  let isCode = false;
  return text
    .split("\n")
    .map((line) => {
      if (/^ {0,3}(?:```|~~~)/u.test(line)) {
        isCode = !isCode;
        return paint.faint(line);
      }
      return isCode ? line : formatted(line, paint);
    })
    .join("\n");
}

function formatted(line: string, paint: Paint): string {
  const heading = /^ {0,3}#{1,6}[ \t]+(.*?)[ \t]*#*$/u.exec(line)?.[1];
  if (heading !== undefined) return paint.strong(heading);
  return line
    .replace(/^([ \t]*)[-*+][ \t]+\[ \][ \t]+/u, "$1  ☐ ")
    .replace(/^([ \t]*)[-*+][ \t]+/u, "$1  • ")
    .replace(/\*\*([^*]+)\*\*/gu, (_, words: string) => paint.strong(words))
    .replace(/`([^`]+)`/gu, (_, code: string) => paint.tone("plain", code));
}
