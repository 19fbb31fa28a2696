import { fail, ok, type Result } from "../../base/result.ts";
import { errnoOf, type Errno } from "./errno.ts";

/** Where bytes come from: the process's own standard input, or a test's. */
export interface Input extends AsyncIterable<Uint8Array> {
  readonly isTTY?: boolean | undefined;
}

/** Why an input was not read to its end. */
export type InputFailure =
  /** Nothing was read: a person would wait for something to happen. */
  | { readonly kind: "terminal" }
  | { readonly kind: "too-large" }
  | { readonly kind: "unreadable"; readonly errno: Errno };

/** Reads this process's standard input to its end, unless it is a terminal or longer than `bytesMax`. */
export async function readStandardInput(
  bytesMax: number,
  input: Input = process.stdin,
): Promise<Result<Uint8Array, InputFailure>> {
  if (input.isTTY === true) return fail({ kind: "terminal" });
  try {
    const bytes = await firstBytes(input, bytesMax + 1);
    return bytes.byteLength <= bytesMax ? ok(bytes) : fail({ kind: "too-large" });
  } catch (thrown) {
    const errno = errnoOf(thrown);
    if (errno === undefined) throw thrown;
    return fail({ kind: "unreadable", errno });
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
