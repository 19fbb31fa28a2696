import { need } from "../base/fatal.ts";
import { SEAL, type Files } from "../base/ports/files.ts";

/**
 * Reads a file from offset `from` to its end, after an append of `written` bytes. Does not rely on the size from
 * `stat`, which finds nothing on a failing disk: what was just written would be taken for a foreign change.
 */
export function readRest(
  files: Pick<Files, "readChunk">,
  path: string,
  { from, written }: { readonly from: number; readonly written: number },
): Buffer {
  // Usually one read reaches the end: at most the seal of a torn line precedes what was written.
  const length = written + SEAL.length + 1;
  const pieces: Uint8Array[] = [];
  for (let at = from; ;) {
    const piece = need(files.readChunk(path, at, length));
    pieces.push(piece);
    at += piece.length;
    if (piece.length < length) return Buffer.concat(pieces);
  }
}
