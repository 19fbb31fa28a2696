import { ok, type Result } from "../base/result.ts";
import { badLine, type BadLine } from "./bad-line.ts";

/**
 * The line format of the role logs: `<time> <kind> key=value key="quoted value"`, one record a line.
 *
 * A value is bare when it holds no white space, quote, `=`, backslash or control character;
 * else it is a JSON string in which control, format (bidi) and separator characters are escaped too, so
 * that `tail -f` shows a hostile value as text and a line never holds a newline.
 */
export type LogfmtFields = Readonly<Record<string, string>>;

const BARE = /^[^\s"=\\\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]+$/u;
const HOSTILE = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu;
const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;
const KIND = /^[a-z]+(?:\.[a-z]+)*$/;
const KEY = /^[a-z][a-z0-9_]*$/;

/** Encodes fields, of which `time` and `kind` come first and bare; no newline at the end. */
export function encodeLogfmt(fields: LogfmtFields): string {
  const { time = "", kind = "", ...rest } = fields;
  const pairs = Object.entries(rest).map(([key, value]) => `${key}=${encodeValue(value)}`);
  return [time, kind, ...pairs].join(" ");
}

function encodeValue(value: string): string {
  if (BARE.test(value)) return value;
  return JSON.stringify(value).replace(HOSTILE, escapeUnits);
}

function escapeUnits(character: string): string {
  let escaped = "";
  for (let unit = 0; unit < character.length; unit++) {
    escaped += `\\u${character.charCodeAt(unit).toString(16).padStart(4, "0")}`;
  }
  return escaped;
}

/** Decodes one line without its newline. A key that comes twice makes the line bad. */
export function decodeLogfmt(line: string): Result<LogfmtFields, BadLine> {
  const [time = "", kind = ""] = line.split(" ", 2);
  if (!TIME.test(time)) return badLine("it does not begin with a time");
  if (!KIND.test(kind)) return badLine("its second word is not the kind of a record");
  const fields = new Map([
    ["time", time],
    ["kind", kind],
  ]);
  let at = time.length + 1 + kind.length;
  while (at < line.length) {
    const pair = readPair(line, at);
    if (pair === undefined) return badLine(`a key=value pair is broken at column ${at + 1}`);
    if (fields.has(pair.key)) return badLine(`the key ${pair.key} comes twice`);
    fields.set(pair.key, pair.value);
    at = pair.end;
  }
  return ok(Object.fromEntries(fields));
}

interface Pair {
  readonly key: string;
  readonly value: string;
  readonly end: number;
}

function readPair(line: string, start: number): Pair | undefined {
  const equals = line.indexOf("=", start);
  if (line[start] !== " " || equals < 0) return undefined;
  const key = line.slice(start + 1, equals);
  if (!KEY.test(key)) return undefined;
  if (line[equals + 1] === '"') return readQuoted(line, key, equals + 1);
  const space = line.indexOf(" ", equals);
  const end = space < 0 ? line.length : space;
  const value = line.slice(equals + 1, end);
  return BARE.test(value) ? { key, value, end } : undefined;
}

function readQuoted(line: string, key: string, quote: number): Pair | undefined {
  let at = quote + 1;
  while (at < line.length && line[at] !== '"') at += line[at] === "\\" ? 2 : 1;
  if (at >= line.length) return undefined;
  const value = parseString(line.slice(quote, at + 1));
  return value === undefined ? undefined : { key, value, end: at + 1 };
}

function parseString(text: string): string | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "string" ? value : undefined;
  } catch {
    return undefined;
  }
}
