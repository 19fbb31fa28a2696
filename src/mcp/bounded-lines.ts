/** The answer to a message that was too long to be read, as JSON-RPC has it. */
export interface TooLong {
  readonly jsonrpc: "2.0";
  /** Of the message, where its beginning or its end says it. */
  readonly id: string | number | null;
  readonly error: { readonly code: number; readonly message: string };
}

/** Of a line that is too long so much of each end is kept: the id stands in one of them. */
const END_BYTES_MAX = 4_096;
const INVALID_REQUEST = -32_600;
const NEWLINE = 0x0a;

const ID = String.raw`"id"\s*:\s*(-?\d{1,15}|"(?:[^"\\]|\\.){0,200}")`;
/** Before anything that is not a plain member: else it may be somebody else's id. */
const ID_FIRST = new RegExp(
  String.raw`^\s*\{(?:\s*"(?:jsonrpc|method)"\s*:\s*"[^"\\]*"\s*,)*\s*${ID}\s*,`,
  "u",
);
/** What stands before the last brace is a member of the message itself. */
const ID_LAST = new RegExp(String.raw`,\s*${ID}\s*(?:,\s*"jsonrpc"\s*:\s*"2\.0"\s*)?\}\s*$`, "u");

/** Cuts what comes in into lines; called with chunk after chunk. */
export type CutLines = (chunk: Uint8Array) => readonly Uint8Array[];

/**
 * Passes on whole lines with their ends, so that nobody behind it ever holds more than one message of bounded
 * length. A line that is longer is passed over as it comes, however long it is, and answered when it ends; what
 * comes after it is read as ever.
 *
 * @param bytesMax without the end of the line
 */
export function boundedLines(bytesMax: number, onTooLong: (answer: TooLong) => void): CutLines {
  let parts: Buffer[] = [];
  let bytes = 0;
  const take = (part: Uint8Array): void => {
    bytes += part.length;
    // A copy: else the whole of a large chunk lives as long as its rest.
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

/** The beginning and the end of what there is, as two parts. */
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
  const said = ID_FIRST.exec(first)?.[1] ?? ID_LAST.exec(last)?.[1];
  const message = `the message is longer than ${String(bytesMax)} bytes`;
  return { jsonrpc: "2.0", id: idOf(said), error: { code: INVALID_REQUEST, message } };
}

function idOf(said: string | undefined): TooLong["id"] {
  if (said === undefined) return null;
  try {
    const id: unknown = JSON.parse(said);
    return typeof id === "string" || typeof id === "number" ? id : null;
  } catch {
    return null;
  }
}
