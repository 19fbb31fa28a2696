/** `@@ -<line>,<count> +<line>,<count> @@`; a count of 1 is left out. */
const HUNK = /^@@ -\d+(?:,(\d+))? \+\d+(?:,(\d+))? @@/u;

/**
 * Counts the lines that a whole diff between two commits adds and removes. What stands between its hunks is skipped by
 * the lengths that the hunks state, because a line of a file may look like any other part of a diff. Undefined if the
 * text is not made like that.
 */
export function linesInDiff(text: string): number | undefined {
  let changed = 0;
  let hunk: Hunk = { before: 0, after: 0 };
  for (const line of text.split("\n")) {
    // "No newline at end of file" is a remark about the line before it.
    if (line.startsWith("\\")) continue;
    const next = isOver(hunk) ? hunkOf(line) : afterLine(hunk, line.charAt(0));
    if (next === undefined) return undefined;
    if (!isOver(hunk) && !line.startsWith(" ")) changed += 1;
    hunk = next;
  }
  return isOver(hunk) ? changed : undefined;
}

/** How many lines of a hunk are still to come, of the file before the change and of the one after it. */
interface Hunk {
  readonly before: number;
  readonly after: number;
}

function isOver({ before, after }: Hunk): boolean {
  return before === 0 && after === 0;
}

/** The hunk that a line begins; an empty one for any other line. */
function hunkOf(line: string): Hunk {
  const [isHunk, before = "1", after = "1"] = HUNK.exec(line) ?? [];
  if (isHunk === undefined) return { before: 0, after: 0 };
  return { before: Number(before), after: Number(after) };
}

/** What is left of a hunk after a line of this kind; undefined if no such line belongs there. */
function afterLine({ before, after }: Hunk, kind: string): Hunk | undefined {
  if (kind !== " " && kind !== "-" && kind !== "+") return undefined;
  const next = { before: before - (kind === "+" ? 0 : 1), after: after - (kind === "-" ? 0 : 1) };
  return next.before < 0 || next.after < 0 ? undefined : next;
}
