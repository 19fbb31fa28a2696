import type { Files } from "../../base/ports/files.ts";
import { fail, ok, type Result } from "../../base/result.ts";
import { cleanText } from "../../base/words/clean-text.ts";

export interface Tail {
  readonly path: string;
  /** The last bytes written since the tail was created, from the start of a line; the failure is a sentence. */
  read(bytesMax: number): Result<string, string>;
}

/**
 * The end of an output file. Its earlier content belongs to an interrupted run of the same turn, whose words must
 * not count for this one.
 */
export function tailOf(files: Files, path: string): Tail {
  const startBytes = files.stat(path)?.sizeBytes ?? 0;
  return {
    path,
    read(bytesMax) {
      const sizeBytes = files.stat(path)?.sizeBytes ?? 0;
      const offsetBytes = Math.max(startBytes, sizeBytes - bytesMax);
      const chunk = files.readChunk(path, offsetBytes, bytesMax);
      if (!chunk.ok) return fail(`its output ${path} cannot be read: ${chunk.failure.errno}`);
      const text = new TextDecoder().decode(chunk.value);
      // A cut may split a line and a character; both are dropped.
      return ok(offsetBytes > startBytes ? text.slice(text.indexOf("\n") + 1) : text);
    },
  };
}

/** The first bytes written to an output file from now on, as text; empty if it cannot be read. */
export function beginningOf(files: Files, path: string, bytesMax: number): () => string {
  const startBytes = files.stat(path)?.sizeBytes ?? 0;
  return () => {
    const chunk = files.readChunk(path, startBytes, bytesMax);
    return chunk.ok ? new TextDecoder().decode(chunk.value) : "";
  };
}

const STDERR_BYTES_MAX = 4 * 1024;
const LOG_BYTES_MAX = 64 * 1024;

/** A line of a stack trace: there are many, and none tells what failed. */
const TRACE = /^\s+at \S/u;

/**
 * The last `count` lines of an output, without empty lines and stack traces, joined into one; `undefined` if there
 * are none.
 */
export function lastLines(tail: Tail, count: number): string | undefined {
  const lines = linesAtEnd(tail, count);
  return lines.length === 0 ? undefined : lines.join(" / ");
}

/** The same lines, one by one; `isLog` tells which ones are not counted. */
export function linesAtEnd(
  tail: Tail,
  count: number,
  isLog: (line: string) => boolean = () => false,
): readonly string[] {
  // What is said may be far before the end of a log.
  const text = tail.read(LOG_BYTES_MAX);
  if (!text.ok) return [];
  const lines = text.value.split("\n").filter((line) => line.trim() !== "" && !isLog(line));
  const end = lines.join("\n").slice(-STDERR_BYTES_MAX);
  const clean = cleanText(end, { charsMax: STDERR_BYTES_MAX, lines: "many" });
  return clean
    .split("\n")
    .filter((line) => line.trim() !== "" && !TRACE.test(line))
    .slice(-count);
}
