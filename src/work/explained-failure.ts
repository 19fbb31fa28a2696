import type { Files } from "../base/ports/files.ts";
import { cleanText } from "../base/words/clean-text.ts";

const TAIL_BYTES = 8 * 1024;
const TEXT_CHARS_MAX = 400;
/** The first line of a failure that wisp explains begins with this; the next line says what to do. */
const OPENING = "wisp: ";

/**
 * Returns the last failure that a process of wisp explained in its output after offset `fromBytes`: one line, safe
 * to print, without the full stop. Undefined if there is none. For people only, because other programs may also have
 * written to that file.
 */
export function explainedFailure(
  files: Files,
  path: string,
  fromBytes: number,
): string | undefined {
  const size = files.stat(path)?.sizeBytes ?? 0;
  const from = Math.max(fromBytes, size - TAIL_BYTES);
  const read = files.readChunk(path, from, Math.max(0, size - from));
  if (!read.ok) return undefined;
  const lines = new TextDecoder().decode(read.value).split("\n");
  const first = lines.findLastIndex((line) => line.startsWith(OPENING));
  if (first < 0) return undefined;
  // Two lines: what happened and what to do next. After an internal error the rest is a stack trace.
  const explanation = lines
    .slice(first, first + 2)
    .join(" ")
    .slice(OPENING.length);
  const text = cleanText(explanation, { charsMax: TEXT_CHARS_MAX, lines: "one" });
  return text === "" ? undefined : text.replace(/\.$/, "");
}
