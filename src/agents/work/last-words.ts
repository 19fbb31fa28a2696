import type { Files } from "../../base/ports/files.ts";
import { cleanText } from "../../base/words/clean-text.ts";

const TAIL_BYTES = 8 * 1024;
const WORDS_CHARS_MAX = 400;
/** How a failure begins that a process of wisp explains; what to do about it follows. */
const OPENING = "wisp: ";

/**
 * What a process said of why it ended, behind `fromBytes` of the file that its output goes to: the
 * last failure that it explained, on one line and safe to print, without the full stop. For people
 * only: others may have written to that file, too.
 */
export function lastWords(files: Files, path: string, fromBytes: number): string | undefined {
  const size = files.stat(path)?.sizeBytes ?? 0;
  const from = Math.max(fromBytes, size - TAIL_BYTES);
  const read = files.readChunk(path, from, Math.max(0, size - from));
  if (!read.ok) return undefined;
  const lines = new TextDecoder().decode(read.value).split("\n");
  const first = lines.findLastIndex((line) => line.startsWith(OPENING));
  if (first < 0) return undefined;
  // What happened, and what to do next; a mistake of wisp itself goes on with where it was made.
  const said = lines
    .slice(first, first + 2)
    .join(" ")
    .slice(OPENING.length);
  const words = cleanText(said, { charsMax: WORDS_CHARS_MAX, lines: "one" });
  return words === "" ? undefined : words.replace(/\.$/, "");
}
