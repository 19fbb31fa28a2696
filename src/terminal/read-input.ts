import { DOCUMENT_BYTES_MAX } from "../base/limits.ts";
import { fail, ok, type Result } from "../base/result.ts";
import {
  RequestAtTerminal,
  RequestNoFile,
  RequestTooLarge,
} from "../actions/start/request-failures.ts";
import { STANDARD_INPUT, type RequestFailure } from "../actions/start/read-request.ts";
import { FileFailure } from "../base/ports/files.ts";
import { errnoOf } from "../host/system/errno.ts";

/** Where bytes come from: the process's own standard input, or a test's. */
export interface Input extends AsyncIterable<Uint8Array> {
  readonly isTTY?: boolean | undefined;
}

/**
 * Reads a request from standard input, to its end. Refuses a terminal, where a person would wait
 * for something to happen, and stops reading at the size that a request may have.
 */
export async function readInput(
  input: Input = process.stdin,
): Promise<Result<Uint8Array, RequestFailure>> {
  if (input.isTTY === true) return fail(RequestAtTerminal({}));
  try {
    const bytes = await firstBytes(input, DOCUMENT_BYTES_MAX + 1);
    if (bytes.byteLength <= DOCUMENT_BYTES_MAX) return ok(bytes);
    return fail(RequestTooLarge({ path: STANDARD_INPUT, bytesMax: DOCUMENT_BYTES_MAX }));
  } catch (thrown) {
    const errno = errnoOf(thrown);
    if (errno === undefined) throw thrown;
    return fail(
      errno === "EISDIR"
        ? RequestNoFile({ path: STANDARD_INPUT })
        : FileFailure({ operation: "read", path: STANDARD_INPUT, errno }),
    );
  }
}

/** All bytes of an input, or at least as many as are wanted. */
async function firstBytes(input: Input, wanted: number): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of input) {
    chunks.push(chunk);
    bytes += chunk.byteLength;
    if (bytes >= wanted) break;
  }
  return Buffer.concat(chunks);
}
