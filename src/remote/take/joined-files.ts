import { join } from "node:path";
import { z } from "zod";
import type { WorldFailure } from "../../base/fatal.ts";
import { FRAME_BYTES_MAX, MIRROR_REQUEST_BYTES_MAX } from "../../base/limits.ts";
import { FileFailure } from "../../base/ports/files.ts";
import { fail, ok, type Result } from "../../base/result.ts";
import { jsonOf } from "../../base/words/json-text.ts";
import { receiveFile } from "../../host/files/receive-file.ts";
import type { World } from "../../workspace/world.ts";

/** A file that goes to a place together with others. */
export interface JoinedFile {
  /** What it is there. */
  readonly name: string;
  /** Its absolute path here. */
  readonly path: string;
}

/** The first line of joined files; their bytes follow in this order. */
const JoinedHead = z.object({
  version: z.literal(1),
  files: z.array(z.object({ name: z.string(), bytes: z.int().min(0) })),
});

type Host = Pick<World["host"], "files">;

/**
 * Joins files into one, because each copy to a place takes a command there. What is at `to` afterwards is whole.
 *
 * @param to an absolute path
 */
export function joinFiles(
  { files }: Host,
  to: string,
  parts: readonly JoinedFile[],
): Result<void, FileFailure> {
  const sized = parts.map(({ name, path }) => ({
    name,
    path,
    bytes: files.stat(path)?.sizeBytes ?? 0,
  }));
  const receiver = receiveFile(to);
  if (!receiver.ok) return receiver;
  const head = { version: 1, files: sized.map(({ name, bytes }) => ({ name, bytes })) };
  receiver.value.write(Buffer.from(`${JSON.stringify(head)}\n`));
  for (const { path, bytes } of sized) {
    const copied = eachChunk({ files }, { path, from: 0, bytes }, receiver.value.write);
    if (copied.ok) continue;
    receiver.value.drop();
    return copied;
  }
  return receiver.value.finish();
}

/**
 * Hands over the files that were joined, one after the other, each as a file of its own that is removed afterwards.
 *
 * @param path of the joined files
 * @param scratch a folder for the one that is handed over
 * @returns false if they are not as they were joined
 */
export async function eachJoined(
  { files }: Host,
  { path, scratch }: { readonly path: string; readonly scratch: string },
  take: (file: JoinedFile) => Promise<Result<void, WorldFailure>>,
): Promise<Result<boolean, WorldFailure>> {
  const head = readJoinedHead({ files }, path);
  if (!head.ok) return head;
  if (head.value === undefined) return ok(false);
  const one = join(scratch, "joined.part");
  let from = head.value.bytes;
  for (const { name, bytes } of head.value.files) {
    const receiver = receiveFile(one);
    if (!receiver.ok) return receiver;
    const copied = eachChunk({ files }, { path, from, bytes }, receiver.value.write);
    if (!copied.ok) receiver.value.drop();
    const taken = copied.ok ? receiver.value.finish() : copied;
    const done = taken.ok ? await take({ name, path: one }) : taken;
    files.remove(one);
    if (!done.ok) return done;
    from += bytes;
  }
  return ok(true);
}

interface Piece {
  readonly path: string;
  readonly from: number;
  readonly bytes: number;
}

/** Fails if the file is shorter. */
function eachChunk(
  { files }: Host,
  { path, from, bytes }: Piece,
  write: (chunk: Uint8Array) => void,
): Result<void, FileFailure> {
  for (let at = 0; at < bytes;) {
    const chunk = files.readChunk(path, from + at, Math.min(FRAME_BYTES_MAX, bytes - at));
    if (!chunk.ok) return chunk;
    if (chunk.value.length === 0)
      return fail(FileFailure({ operation: "read", path, errno: "EIO" }));
    write(chunk.value);
    at += chunk.value.length;
  }
  return ok(undefined);
}

/** The first line, and how long it is; undefined if it is none. */
function readJoinedHead({ files }: Host, path: string) {
  let text = Buffer.alloc(0);
  for (;;) {
    const end = text.indexOf("\n");
    if (end >= 0) {
      const parsed = JoinedHead.safeParse(jsonOf(text.subarray(0, end).toString("utf8")));
      return ok(parsed.success ? { files: parsed.data.files, bytes: end + 1 } : undefined);
    }
    const chunk = files.readChunk(path, text.length, FRAME_BYTES_MAX);
    if (!chunk.ok) return chunk;
    if (chunk.value.length === 0 || text.length > MIRROR_REQUEST_BYTES_MAX) return ok(undefined);
    text = Buffer.concat([text, chunk.value]);
  }
}
