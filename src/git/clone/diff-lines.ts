/** `@@ -<line>,<count> +<line>,<count> @@`; a count of 1 is left out. */
const HUNK = /^@@ -\d+(?:,(\d+))? \+\d+(?:,(\d+))? @@/u;

/**
 * Counts the lines that a whole diff between two commits adds and removes. What stands between its hunks is skipped by
 * the lengths that the hunks state, because a line of a file may look like any other part of a diff. Undefined if the
 * text is not made like that.
 */
export function linesInDiff(text: string): number | undefined {
  let changed = 0;
  let [before, after] = [0, 0];
  for (const line of text.split("\n")) {
    if (before === 0 && after === 0) {
      const hunk = HUNK.exec(line);
      if (hunk !== null) [before, after] = [Number(hunk[1] ?? 1), Number(hunk[2] ?? 1)];
      continue;
    }
    const kind = line.charAt(0);
    // "No newline at end of file" is a remark about the line before it.
    if (kind === "\\") continue;
    if (kind !== " " && kind !== "-" && kind !== "+") return undefined;
    if (kind !== "+") before -= 1;
    if (kind !== "-") after -= 1;
    if (kind !== " ") changed += 1;
    if (before < 0 || after < 0) return undefined;
  }
  return before === 0 && after === 0 ? changed : undefined;
}
