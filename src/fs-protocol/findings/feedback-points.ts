import { TASK_TEXT_CHARS_MAX } from "../../base/limits.ts";
import { cleanText } from "../../base/words/clean-text.ts";
import { markdownLines, type MarkdownLine } from "../tasks/markdown-lines.ts";
import { withoutStrayTags } from "./stray-tags.ts";

/** A box of a task, behind the marker of its item. */
const BOX = /^\[[ xX]\](?:\s+|$)/u;
/** Marks of quotations, which may stand in one another. */
const QUOTE = /^(?:>\s?)+/u;
/** A line of nothing but tags, as engines put around a plan. */
const TAGS = /^\s*(?:<\/?[a-z][\w-]{0,40}\s*\/?>\s*)+$/iu;
/** What says of which kind the text below is, or beside it: a few words in bold, with a colon. */
const BOLD_LABEL = /^(\*\*|__)[\p{L}\d ()/-]{1,40}(?::\1|\1:)\s*/u;
/** A file, with or without a line, before what is said of it. */
const PLACE = /^(?:`[^`\s]+`|[^`\s*_]+:[1-9]\d{0,6})(?::\s+|\s+(?:[-\u2013\u2014]\s+)?)/u;
/** The same without marks, alone on its line. */
const LABEL = /^\p{L}+(?: \p{L}+){0,2}:$/u;
const WORD = /[\p{L}\p{N}]/u;

/** A heading is a point where nothing else is. */
type Block = "text" | "heading" | "code";

/**
 * The points of a feedback, each on one line: every item of its lists, and every paragraph. Headings, labels, tags
 * and comments only say what points are about, and what stands between fences belongs to none; whoever works on
 * them reads the whole. Of a feedback that has nothing but such, each heading is one, or all of it.
 */
export function feedbackPoints(feedback: string): readonly string[] {
  const lines = markdownLines(withoutStrayTags(withoutMarkup(feedback)));
  const points = paragraphs(lines);
  if (points.length > 0) return points;
  const headings = lines.filter(({ kind }) => kind === "heading");
  const titles = headings.map(({ content }) => oneLine(content)).filter(isSaid);
  if (titles.length > 0) return titles;
  return lines.some((line) => blockOf(line) === "code" && isSaid(line.content))
    ? ["the feedback as a whole"]
    : [];
}

/**
 * What has to be true when a point has been seen to. A complaint is not that: "The header is missing" is what was
 * wrong, and a builder who is to make it true takes the header away.
 */
export function criterionOf(point: string): string {
  return cleanText(`Addressed: ${point}`, { charsMax: TASK_TEXT_CHARS_MAX, lines: "one" });
}

/** A remark on a line of a file, on one line and without labels and stray tags; "" where it says nothing. */
export function remarkOf(text: string): string {
  const said = oneLine(withoutStrayTags(withoutMarkup(text)));
  const remark = said.replace(BOLD_LABEL, "").trim();
  return isSaid(remark) ? remark : said;
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
  return points.map(oneLine).filter(isSaid);
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

/** What a line says, without its markers; "" for a label. */
function textOf({ content }: MarkdownLine): string {
  const text = content.trim().replace(QUOTE, "").replace(BOX, "");
  const place = PLACE.exec(text)?.[0] ?? "";
  const said = text.slice(place.length).replace(BOLD_LABEL, "").trim();
  return LABEL.test(said) ? "" : `${place}${said}`.trim();
}

/** Whether a marker of a list stood before what the line says. */
function opensItem({ raw, content }: MarkdownLine): boolean {
  return raw.trim() !== content.trim();
}

/** Without comments, and without lines of nothing but tags, which would hide the lines below from a reader. */
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

function isSaid(point: string): boolean {
  return WORD.test(point);
}

function oneLine(text: string): string {
  return cleanText(text, { charsMax: TASK_TEXT_CHARS_MAX, lines: "one" });
}
