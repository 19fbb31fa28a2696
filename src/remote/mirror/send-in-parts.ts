import { FRAME_BYTES_MAX } from "../../base/limits.ts";
import { FileFailure, type Files } from "../../base/ports/files.ts";
import { fail, ok, type Result } from "../../base/result.ts";
import { encodeFrame, type FrameHeader } from "./frame.ts";
import type { Send } from "./sent-file.ts";

/** Which part of a file a frame has. */
export interface SentPart {
  readonly isFirst: boolean;
  readonly isLast: boolean;
  readonly bytes: number;
}

/** A file that is sent whole, and nothing of which changes meanwhile. */
export interface SentWhole {
  readonly path: string;
  readonly sizeBytes: number;
  readonly headerOf: (part: SentPart) => FrameHeader;
}

/** Sends a file in as many frames as it takes; none if it is empty. */
export async function sendInParts(
  files: Files,
  { path, sizeBytes, headerOf }: SentWhole,
  send: Send,
): Promise<Result<void, FileFailure>> {
  for (let at = 0; at < sizeBytes;) {
    const read = files.readChunk(path, at, Math.min(FRAME_BYTES_MAX, sizeBytes - at));
    if (!read.ok) return read;
    const bytes = read.value;
    if (bytes.length === 0) return fail(FileFailure({ operation: "read", path, errno: "EIO" }));
    const isLast = at + bytes.length >= sizeBytes;
    await send(encodeFrame(headerOf({ isFirst: at === 0, isLast, bytes: bytes.length }), bytes));
    at += bytes.length;
  }
  return ok(undefined);
}
