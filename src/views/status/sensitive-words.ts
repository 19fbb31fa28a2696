import { cleanText } from "../../base/words/clean-text.ts";
import { shortSha } from "../../workspace/session/describe-unit.ts";
import type { SensitiveChange } from "../../workspace/finished/sensitive-changes.ts";

const ROWS_MAX = 20;
const COMMITS_MAX = 5;
const PATH_CHARS_MAX = 200;

/** The title above the list of these files. */
export const SENSITIVE_TITLE = "Files that can run code outside the session";

/** One line per sensitive file with its kind and commits; lines beyond the maximum are only counted. */
export function sensitiveLines(
  changes: readonly SensitiveChange[],
  shownPath: (path: string) => string = plainPath,
): readonly string[] {
  const lines = changes.slice(0, ROWS_MAX).map(({ path, kind, commits }) => {
    const more = commits.length - COMMITS_MAX;
    const shown = commits.slice(0, COMMITS_MAX).map(shortSha).join(", ");
    return `${shownPath(path)} (${kind}): ${shown}${more > 0 ? ` and ${String(more)} more` : ""}`;
  });
  const rest = changes.length - lines.length;
  return rest > 0 ? [...lines, `and ${String(rest)} more`] : lines;
}

function plainPath(path: string): string {
  return cleanText(path, { charsMax: PATH_CHARS_MAX, lines: "one" });
}
