import { TASK_TEXT_CHARS_MAX } from "../base/limits.ts";
import { cleanText } from "./clean-text.ts";

/** What a line begins with that is an item of a list, or a heading; boxes and further markers with it. */
const ITEM = /^\s*(?:(?:[-*+]|\d{1,3}[.)])\s+(?:\[[ xX]\]\s+)?)+/u;
const HEADING = /^\s*#{1,6}\s+/u;
const FENCE = /^\s*(?:`{3}|~{3})/u;

/**
 * The points of a feedback, each on one line: every item of its lists, and every paragraph. Headings only
 * say what points are about, and what stands between fences belongs to none; whoever works on them reads
 * the whole. Of a feedback that has none, all of it is one.
 */
export function feedbackPoints(feedback: string): readonly string[] {
  const lines = withoutFences(feedback.split(/\r\n?|\n/u));
  const points: string[] = [];
  let isOpen = false;
  for (const line of lines) {
    const isHeading = HEADING.test(line);
    const text = isHeading ? "" : line.replace(ITEM, "").trim();
    if (text !== "" && isOpen && !ITEM.test(line)) points.push(`${points.pop() ?? ""} ${text}`);
    else if (text !== "") points.push(text);
    isOpen = text !== "";
  }
  const said = points.map(oneLine).filter((point) => point !== "");
  return said.length > 0 ? said : [oneLine(feedback)].filter((point) => point !== "");
}

function withoutFences(lines: readonly string[]): readonly string[] {
  let isFenced = false;
  return lines.map((line) => {
    const isFence = FENCE.test(line);
    if (isFence) isFenced = !isFenced;
    return isFence || isFenced ? "" : line;
  });
}

function oneLine(text: string): string {
  return cleanText(text, { charsMax: TASK_TEXT_CHARS_MAX, lines: "one" });
}
