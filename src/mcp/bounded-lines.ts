/** The JSON-RPC error for a message that is too long. */
export interface TooLong {
  readonly jsonrpc: "2.0";
  /** The message's id, if its beginning or end contains it. */
  readonly id: string | number | null;
  readonly error: { readonly code: number; readonly message: string };
}

/** How much of each end of a line that is too long is kept, to find the id in. */
const END_BYTES_MAX = 4_096;
const INVALID_REQUEST = -32_600;
const NEWLINE = 0x0a;

const ID = String.raw`"id"\s*:\s*(-?\d{1,15}|"(?:[^"\\]|\\.){0,200}")`;
/** Only after plain members: otherwise it may be the id of a nested object. */
const ID_FIRST = new RegExp(
  String.raw`^\s*\{(?:\s*"(?:jsonrpc|method)"\s*:\s*"[^"\\]*"\s*,)*\s*${ID}\s*,`,
  "u",
);
/** A member before the last brace belongs to the message itself. */
const ID_LAST = new RegExp(String.raw`,\s*${ID}\s*(?:,\s*"jsonrpc"\s*:\s*"2\.0"\s*)?\}\s*$`, "u");

/** Splits the input into lines; called with one chunk after another. */
export type CutLines = (chunk: Uint8Array) => readonly Uint8Array[];

/**
 * Passes on whole lines with their newlines, so that the consumer never holds more than one message
 * of bounded length. A longer line is discarded as it arrives, whatever its length, and answered
 * when it ends; later lines are read normally.
 *
 * @param bytesMax without the newline
 */
export function boundedLines(bytesMax: number, onTooLong: (answer: TooLong) => void): CutLines {
  let parts: Buffer[] = [];
  let bytes = 0;
  const take = (part: Uint8Array): void => {
    bytes += part.length;
    // A copy: otherwise the whole of a large chunk would live as long as its rest.
    parts.push(Buffer.from(part));
    if (bytes > bytesMax) parts = ends(parts);
  };
  const endLine = (): readonly Uint8Array[] => {
    const line = Buffer.concat(parts);
    const isLong = bytes > bytesMax;
    parts = [];
    bytes = 0;
    if (!isLong) return [Buffer.concat([line, Buffer.of(NEWLINE)])];
    onTooLong(tooLong(line, bytesMax));
    return [];
  };
  return (chunk) => {
    const lines: Uint8Array[] = [];
    let from = 0;
    for (;;) {
      const end = chunk.indexOf(NEWLINE, from);
      if (end < 0) break;
      take(chunk.subarray(from, end));
      lines.push(...endLine());
      from = end + 1;
    }
    if (from < chunk.length) take(chunk.subarray(from));
    return lines;
  };
}

/** The beginning and the end of the data, as two parts. */
function ends(parts: readonly Buffer[]): Buffer[] {
  const whole = Buffer.concat(parts);
  if (whole.length <= 2 * END_BYTES_MAX) return [whole];
  return [
    Buffer.from(whole.subarray(0, END_BYTES_MAX)),
    Buffer.from(whole.subarray(whole.length - END_BYTES_MAX)),
  ];
}

function tooLong(kept: Buffer, bytesMax: number): TooLong {
  const first = kept.subarray(0, END_BYTES_MAX).toString("utf8");
  const last = kept.subarray(Math.max(0, kept.length - END_BYTES_MAX)).toString("utf8");
  const id = ID_FIRST.exec(first)?.[1] ?? ID_LAST.exec(last)?.[1];
  const message = `the message is longer than ${String(bytesMax)} bytes`;
  return { jsonrpc: "2.0", id: idOf(id), error: { code: INVALID_REQUEST, message } };
}

function idOf(text: string | undefined): TooLong["id"] {
  if (text === undefined) return null;
  try {
    const id: unknown = JSON.parse(text);
    return typeof id === "string" || typeof id === "number" ? id : null;
  } catch {
    return null;
  }
}
