import { DIFF_LINE_CHARS_MAX } from "../../base/limits.ts";
import { cleanText } from "../../base/words/clean-text.ts";
import { row, span, type Row, type Style } from "./row.ts";

/** How many lines of the old and of the new file a hunk still has; undefined outside of hunks. */
interface HunkLeft {
  readonly before: number;
  readonly after: number;
}

/**
 * A unified diff as rows with colours, without what could act on a terminal. Within a hunk, its line counts tell what a
 * line is, since the text of a file may look like a heading.
 */
export function diffRows(lines: readonly string[]): readonly Row[] {
  let left: HunkLeft | undefined;
  return lines.map((line) => {
    const isInHunk = left !== undefined && left.before + left.after > 0;
    const style = isInHunk ? HUNK_STYLES[line[0] ?? " "] : headStyle(line);
    left = isInHunk && left !== undefined ? lessOf(left, line) : (hunkOf(line) ?? left);
    return row(span(style ?? "plain", cleanLine(line)));
  });
}

const HUNK_STYLES: Partial<Readonly<Record<string, Style>>> = {
  "+": "good",
  "-": "bad",
  "\\": "faint",
};

function headStyle(line: string): Style {
  if (line.startsWith("diff --git ")) return "strong";
  return line.startsWith("@@ ") ? "question" : "faint";
}

function lessOf({ before, after }: HunkLeft, line: string): HunkLeft {
  switch (line[0]) {
    case "+":
      return { before, after: after - 1 };
    case "-":
      return { before: before - 1, after };
    case "\\":
      return { before, after };
    default:
      return { before: before - 1, after: after - 1 };
  }
}

function hunkOf(line: string): HunkLeft | undefined {
  const counts = /^@@ -\d+(?:,(\d+))? \+\d+(?:,(\d+))? @@/u.exec(line);
  if (counts === null) return undefined;
  const [, before = "1", after = "1"] = counts;
  return { before: Number(before), after: Number(after) };
}

/** Without control characters and with tabs as spaces; what begins the line stays. */
function cleanLine(line: string): string {
  const clean = cleanText(`|${line}`, { charsMax: DIFF_LINE_CHARS_MAX, lines: "many" });
  return clean.slice(1).replaceAll("\n", " ").replaceAll("\t", "    ");
}
