import { z } from "zod";
import { EXIT } from "../../base/exit-code.ts";
import { refusal } from "../../base/failure.ts";
import { shown } from "../../base/words/shown.ts";
import {
  FRAME_BYTES_MAX,
  FRAME_HEADER_BYTES_MAX,
  MIRROR_DEPTH_MAX,
  MIRROR_PATH_CHARS_MAX,
} from "../../base/limits.ts";
import { Oid } from "../../base/oid.ts";
import { fail, ok, type Result } from "../../base/result.ts";
import { jsonOf } from "../../base/words/json-text.ts";
import { LFS_SESSION_BYTES_MAX } from "../../git/lfs/lfs-limits.ts";
import { FarHolder, LeftThere } from "../../fs-protocol/home/link-json.ts";
import { isMirrored } from "./mirrored-path.ts";

/** The path of a mirrored file, relative to its home. */
export const MirrorPath = z
  .string()
  .max(MIRROR_PATH_CHARS_MAX)
  .refine((path) => path.split("/").length <= MIRROR_DEPTH_MAX && isMirrored(path));
const Bytes = z.int().min(0).max(FRAME_BYTES_MAX);
const Offset = z.int().min(0);
const ContentSize = z.int().min(1).max(LFS_SESSION_BYTES_MAX);
/** A digest, in hexadecimal. */
export const Sha256 = z.string().regex(/^[0-9a-f]{64}$/u);

/** The parts of a file or a bundle, which appears when the last one is there. */
const part = { isFirst: z.boolean(), isLast: z.boolean(), bytes: Bytes };

/** How many refs one frame names. */
export const FRAME_REFS_MAX = 50;

/** A ref as it is at the place of a session, by its full name. */
export const SentRef = z.object({ ref: z.string().max(1_000), oid: Oid });
export type SentRef = z.infer<typeof SentRef>;

/** What the place of a session sends, one after the other: a line of JSON, and as many bytes as it announces. */
const FrameHeader = z.discriminatedUnion("kind", [
  z.object({ kind: z.literal("hello"), version: z.literal(1) }),
  /** Bytes of a file that has grown, which begin at offset `at`. */
  z.object({ kind: z.literal("append"), path: MirrorPath, at: Offset, bytes: Bytes }),
  /** A file that is new, or is another one than before. */
  z.object({ kind: z.literal("replace"), path: MirrorPath, ...part }),
  z.object({ kind: z.literal("remove"), path: MirrorPath }),
  /** Commits, as a bundle of git. Comes before any record that names one of them. */
  z.object({ kind: z.literal("bundle"), ...part }),
  /** Content under Git LFS, for a follower that takes it. Comes before the commits with its pointer. */
  z.object({ kind: z.literal("content"), sha256: Sha256, sizeBytes: ContentSize, ...part }),
  /** Where the branch and the saved work are, all of whose commits have been sent before. */
  z.object({ kind: z.literal("refs"), refs: z.array(SentRef).max(FRAME_REFS_MAX) }),
  /** A sign of life, with the holders of leases by the folder of their home. */
  z.object({
    kind: z.literal("beat"),
    alive: z.record(z.string(), z.array(FarHolder)),
    leftBehind: LeftThere.optional(),
  }),
  /** Everything that was there when the last look began has been sent. */
  z.object({ kind: z.literal("same") }),
]);
export type FrameHeader = z.infer<typeof FrameHeader>;

/** A frame with its bytes. */
export interface Frame {
  readonly header: FrameHeader;
  readonly bytes: Uint8Array;
}

/** What arrived from a place is no frame. */
export const BadFrame = refusal(
  "bad-frame",
  EXIT.failure,
  ({ problem }: { readonly problem: string }) => [
    `The place of the session sent something that is not part of a mirror: ${shown(problem)}.`,
    "The files here are as they were. wisp connects again by itself.",
  ],
);
export type BadFrame = ReturnType<typeof BadFrame>;

/** The first line that a follower sends: what it has. */
export const MirrorRequest = z.object({
  version: z.literal(1),
  have: z.array(z.object({ path: MirrorPath, bytes: Offset, sha256: Sha256 })),
  /** The commit up to which it has the branch. */
  head: Oid.optional(),
  /** The content under Git LFS that has arrived here, by its digests. Absent: none is taken. */
  contents: z.array(Sha256).optional(),
});
export type MirrorRequest = z.infer<typeof MirrorRequest>;

/** Encodes a frame. */
export function encodeFrame(header: FrameHeader, bytes: Uint8Array = new Uint8Array()): Uint8Array {
  return Buffer.concat([Buffer.from(`${JSON.stringify(header)}\n`), bytes]);
}

const NEWLINE = 10;

function sizeOf(header: FrameHeader | undefined): number {
  return header !== undefined && "bytes" in header ? header.bytes : 0;
}

/** Finds the frames in a stream that arrives in pieces of any size. */
export class FrameDecoder {
  #pending: Buffer = Buffer.alloc(0);
  /** What came after `#pending`: joined only when it is enough, as joining copies. */
  #more: Uint8Array[] = [];
  #moreBytes = 0;
  #header: FrameHeader | undefined;

  /** The frames that end in these bytes. After a failure, the stream cannot be read on. */
  push(bytes: Uint8Array): Result<readonly Frame[], BadFrame> {
    this.#more.push(bytes);
    this.#moreBytes += bytes.length;
    if (this.#pending.length + this.#moreBytes < sizeOf(this.#header)) return ok([]);
    this.#pending = Buffer.concat([this.#pending, ...this.#more]);
    this.#more = [];
    this.#moreBytes = 0;
    const frames: Frame[] = [];
    for (;;) {
      const begun = this.#header === undefined ? this.#readHeader() : ok(this.#header);
      if (!begun.ok) return begun;
      const header = begun.value;
      if (header === undefined) return ok(frames);
      const size = sizeOf(header);
      this.#header = header;
      if (this.#pending.length < size) return ok(frames);
      frames.push({ header, bytes: this.#pending.subarray(0, size) });
      this.#pending = this.#pending.subarray(size);
      this.#header = undefined;
    }
  }

  #readHeader(): Result<FrameHeader | undefined, BadFrame> {
    const end = this.#pending.indexOf(NEWLINE);
    if (end < 0 && this.#pending.length <= FRAME_HEADER_BYTES_MAX) return ok(undefined);
    if (end < 0 || end > FRAME_HEADER_BYTES_MAX) {
      return fail(BadFrame({ problem: "a header is too long" }));
    }
    const parsed = FrameHeader.safeParse(jsonOf(this.#pending.subarray(0, end).toString("utf8")));
    if (!parsed.success) return fail(BadFrame({ problem: "a header is not as it should be" }));
    this.#pending = this.#pending.subarray(end + 1);
    return ok(parsed.data);
  }
}
