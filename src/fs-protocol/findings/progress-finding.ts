import { cleanText } from "../../base/words/clean-text.ts";

/** Enough for every field of a finding; wisp writes no longer block. */
const BLOCK_CHARS_MAX = 20_000;

/**
 * The newest block of a finding or bug in PROGRESS.txt: the line with its author and time, its
 * numbered title, and its fields. Undefined if it is not there.
 */
export function findingInProgress(progress: string, id: string): string | undefined {
  const lines = progress.split("\n");
  const at = lines.findLastIndex((line) => TITLE.exec(line)?.[1] === id);
  if (at === -1) return undefined;
  const head = lines.findLastIndex((line, index) => index < at && line.startsWith(HEADER));
  const rest = lines.slice(at + 1);
  const end = rest.findIndex((line) => line === END || TITLE.test(line) || line.startsWith(HEADER));
  const fields = end === -1 ? rest : rest.slice(0, end);
  const text = [lines[head] ?? "", lines[at] ?? "", ...fields].join("\n");
  return cleanText(text, { charsMax: BLOCK_CHARS_MAX, lines: "many" });
}

// Lines of a field are indented, and so are those that only look like titles.
const TITLE = /^\d+\. \*\*([A-Z0-9]+-[0-9a-f]+)\*\*: /;
const HEADER = "[Review";
const END = "---";
