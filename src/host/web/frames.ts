import { randomBytes } from "node:crypto";

/** The kinds of frames of a WebSocket, as in RFC 6455. */
export const OPCODE = {
  continuation: 0,
  text: 1,
  binary: 2,
  close: 8,
  ping: 9,
  pong: 10,
} as const;

/** The longest frame that is accepted. */
const FRAME_BYTES_MAX = 64 * 1024 * 1024;

/** One frame as it arrived, with its mask taken off. */
export interface WebFrame {
  readonly opcode: number;
  readonly isFinal: boolean;
  readonly payload: Buffer;
}

/** The bytes of a final frame. A client masks its frames, and a server does not. */
export function encodeWebFrame(
  opcode: number,
  payload: Uint8Array,
  { isMasked }: { readonly isMasked: boolean },
): Buffer {
  const head = headOf(opcode, payload.length, isMasked);
  if (!isMasked) return Buffer.concat([head, payload]);
  const mask = randomBytes(4);
  return Buffer.concat([head, mask, masked(payload, mask)]);
}

function headOf(opcode: number, length: number, isMasked: boolean): Buffer {
  const flag = isMasked ? 0x80 : 0;
  const first = 0x80 | opcode;
  if (length < 126) return Buffer.from([first, flag | length]);
  if (length < 65_536) {
    const head = Buffer.from([first, flag | 126, 0, 0]);
    head.writeUInt16BE(length, 2);
    return head;
  }
  const head = Buffer.alloc(10);
  head[0] = first;
  head[1] = flag | 127;
  head.writeBigUInt64BE(BigInt(length), 2);
  return head;
}

function masked(payload: Uint8Array, mask: Uint8Array): Buffer {
  const bytes = Buffer.from(payload);
  for (let at = 0; at < bytes.length; at += 1) {
    bytes[at] = (bytes[at] ?? 0) ^ (mask[at % 4] ?? 0);
  }
  return bytes;
}

/** Takes frames out of a stream of bytes. */
export class FrameReader {
  #rest: Buffer = Buffer.alloc(0);

  /** The frames that are complete with these bytes, or `undefined` if one is longer than is accepted. */
  take(bytes: Uint8Array): readonly WebFrame[] | undefined {
    this.#rest = this.#rest.length === 0 ? Buffer.from(bytes) : Buffer.concat([this.#rest, bytes]);
    const frames: WebFrame[] = [];
    for (;;) {
      const size = sizeOfFrame(this.#rest);
      if (size === undefined) return frames;
      if (size.payload > FRAME_BYTES_MAX) return undefined;
      if (this.#rest.length < size.head + size.payload) return frames;
      frames.push(frameIn(this.#rest, size));
      this.#rest = this.#rest.subarray(size.head + size.payload);
    }
  }
}

interface FrameSize {
  readonly head: number;
  readonly payload: number;
}

/** How long the frame at the beginning is, once enough of it is there to tell. */
function sizeOfFrame(bytes: Buffer): FrameSize | undefined {
  if (bytes.length < 2) return undefined;
  const second = bytes.readUInt8(1);
  const short = second & 0x7f;
  const more = short === 126 ? 2 : short === 127 ? 8 : 0;
  const head = 2 + more + ((second & 0x80) === 0 ? 0 : 4);
  if (bytes.length < head) return undefined;
  if (more === 0) return { head, payload: short };
  const payload = more === 2 ? bytes.readUInt16BE(2) : Number(bytes.readBigUInt64BE(2));
  return { head, payload };
}

function frameIn(bytes: Buffer, { head, payload }: FrameSize): WebFrame {
  const first = bytes.readUInt8(0);
  const body = bytes.subarray(head, head + payload);
  const isMasked = (bytes.readUInt8(1) & 0x80) !== 0;
  return {
    opcode: first & 0x0f,
    isFinal: (first & 0x80) !== 0,
    payload: isMasked ? masked(body, bytes.subarray(head - 4, head)) : Buffer.from(body),
  };
}
