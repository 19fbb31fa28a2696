import { TASK_TEXT_CHARS_MAX } from "../../base/limits.ts";
import { cleanText } from "../../base/words/clean-text.ts";
import { markdownLines, type MarkdownLine } from "../tasks/markdown-lines.ts";
import { withoutStrayTags } from "./stray-tags.ts";

/** A task's box, after its list marker. */
const BOX = /^\[[ xX]\](?:\s+|$)/u;
/** Quote marks, which may be nested. */
const QUOTE = /^(?:>\s?)+/u;
/** A line of nothing but tags, as engines put around a plan. */
const TAGS = /^\s*(?:<\/?[a-z][\w-]{0,40}\s*\/?>\s*)+$/iu;
/** A label for the text below or beside it: a few words in bold, with a colon. */
const BOLD_LABEL = /^(\*\*|__)[\p{L}\d ()/-]{1,40}(?::\1|\1:)\s*/u;
/** A file, with or without a line number, before the remark about it. */
const PLACE = /^(?:`[^`\s]+`|[^`\s*_]+:[1-9]\d{0,6})(?::\s+|\s+(?:[-\u2013\u2014]\s+)?)/u;
/** A label that is not bold, alone on its line. */
const LABEL = /^\p{L}+(?: \p{L}+){0,2}:$/u;
const WORD = /[\p{L}\p{N}]/u;

/** What a line is for; a heading counts as a point only if there is nothing else. */
type Block = "text" | "heading" | "code";

/**
 * Splits feedback into points, each on one line: every list item and every paragraph. Headings,
 * labels, tags and comments only describe what points are about, and fenced code belongs to no
 * point; the fixing role reads the whole feedback anyway. If feedback contains nothing else, each
 * heading is a point, or else the whole feedback is one.
 */
export function feedbackPoints(feedback: string): readonly string[] {
  const lines = markdownLines(withoutStrayTags(withoutMarkup(feedback)));
  const points = paragraphs(lines);
  if (points.length > 0) return points;
  const headings = lines.filter(({ kind }) => kind === "heading");
  const titles = headings.map(({ content }) => oneLine(content)).filter(hasWord);
  if (titles.length > 0) return titles;
  return lines.some((line) => blockOf(line) === "code" && hasWord(line.content))
    ? ["the feedback as a whole"]
    : [];
}

/**
 * The criterion for having addressed a point. The complaint itself cannot be the criterion: "The
 * header is missing" describes what was wrong, and a builder that made it true would remove the
 * header.
 */
export function criterionOf(point: string): string {
  return cleanText(`Addressed: ${point}`, { charsMax: TASK_TEXT_CHARS_MAX, lines: "one" });
}

/**
 * A remark on a line of a file, on one line, without labels and stray tags; "" if nothing is left.
 */
export function remarkOf(text: string): string {
  const line = oneLine(withoutStrayTags(withoutMarkup(text)));
  const remark = line.replace(BOLD_LABEL, "").trim();
  return hasWord(remark) ? remark : line;
}

function paragraphs(lines: readonly MarkdownLine[]): readonly string[] {
  const points: string[] = [];
  let isOpen = false;
  for (const line of lines) {
    const text = blockOf(line) === "text" ? textOf(line) : "";
    if (text !== "" && isOpen && !opensItem(line)) points.push(`${points.pop() ?? ""} ${text}`);
    else if (text !== "") points.push(text);
    isOpen = text !== "";
  }
  return points.map(oneLine).filter(hasWord);
}

function blockOf({ kind }: MarkdownLine): Block | undefined {
  switch (kind) {
    case "text":
    case "quote":
    case "html":
      return "text";
    case "heading":
      return "heading";
    case "fence":
    case "indented":
      return "code";
    case "blank":
    case "rule":
      return undefined;
  }
}

/** The text of a line without its markers; "" for a label. */
function textOf({ content }: MarkdownLine): string {
  const text = content.trim().replace(QUOTE, "").replace(BOX, "");
  const place = PLACE.exec(text)?.[0] ?? "";
  const remark = text.slice(place.length).replace(BOLD_LABEL, "").trim();
  return LABEL.test(remark) ? "" : `${place}${remark}`.trim();
}

/** Whether a list marker precedes the line's content. */
function opensItem({ raw, content }: MarkdownLine): boolean {
  return raw.trim() !== content.trim();
}

/** Removes comments, and lines of nothing but tags, which would turn the lines below into HTML. */
function withoutMarkup(feedback: string): string {
  const lines = withoutComments(feedback.replaceAll(/\r\n?/gu, "\n")).split("\n");
  return lines.map((line) => (TAGS.test(line) ? "" : line)).join("\n");
}

function withoutComments(text: string): string {
  const kept: string[] = [];
  let from = 0;
  for (;;) {
    const start = text.indexOf("<!--", from);
    const end = start < 0 ? -1 : text.indexOf("-->", start);
    if (end < 0) break;
    kept.push(text.slice(from, start));
    from = end + "-->".length;
  }
  return [...kept, text.slice(from)].join("");
}

function hasWord(point: string): boolean {
  return WORD.test(point);
}

function oneLine(text: string): string {
  return cleanText(text, { charsMax: TASK_TEXT_CHARS_MAX, lines: "one" });
}
