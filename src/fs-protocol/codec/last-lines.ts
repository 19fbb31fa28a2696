import { READ_CHUNK_BYTES } from "../../base/limits.ts";
import type { Files } from "../../base/ports/files.ts";
import { START, type Cursor } from "./read-lines.ts";

const NEWLINE = 0x0a;

/**
 * The position in an append-only file from which its last `count` complete lines are read; its start if it has no more
 * than these, or cannot be read. Reads no more of the file than the lines themselves, in chunks.
 */
export function beginOfLastLines(
  files: Pick<Files, "stat" | "readChunk">,
  path: string,
  count: number,
): Cursor {
  const stat = files.stat(path);
  if (stat === undefined || !Number.isFinite(count)) return START;
  // Behind the newline before the first of the lines.
  let missing = count + 1;
  for (let end = stat.sizeBytes; end > 0;) {
    const from = Math.max(0, end - READ_CHUNK_BYTES);
    const piece = files.readChunk(path, from, end - from);
    if (!piece.ok || piece.value.length < end - from) return START;
    const found = newlinesFromEnd(piece.value, missing);
    missing -= found.count;
    if (missing === 0) return { offsetBytes: from + found.first + 1, inode: stat.inode };
    end = from;
  }
  return START;
}

/** Finds the last newlines of a piece, but at most `max`: how many there are, and where the first of them is. */
function newlinesFromEnd(piece: Uint8Array, max: number): { count: number; first: number } {
  let count = 0;
  let first = piece.length;
  while (count < max && first > 0) {
    const at = piece.lastIndexOf(NEWLINE, first - 1);
    if (at < 0) break;
    first = at;
    count += 1;
  }
  return { count, first };
}
