import { need } from "../../base/fatal.ts";
import { SEAL, type Files } from "../../base/ports/files.ts";

/**
 * What a file holds from an offset to its end, after an append of so many bytes. Not by the size that
 * `stat` tells: on a disk that fails it finds nothing, and what was just written would pass for another's.
 */
export function readRest(
  files: Pick<Files, "readChunk">,
  path: string,
  { from, written }: { readonly from: number; readonly written: number },
): Buffer {
  // One read finds the end: there is at most the seal of a torn line before what was written.
  const length = written + SEAL.length + 1;
  const pieces: Uint8Array[] = [];
  for (let at = from; ;) {
    const piece = need(files.readChunk(path, at, length));
    pieces.push(piece);
    at += piece.length;
    if (piece.length < length) return Buffer.concat(pieces);
  }
}
