import { ok, type Result } from "../../base/result.ts";
import { badLine, type BadLine } from "./bad-line.ts";

/**
 * The line format of the role logs: `<time> <kind> key=value key="quoted value"`, one record per
 * line.
 *
 * A value is bare if it holds no white space, quote, `=`, backslash or control character. Otherwise
 * it is a JSON string in which control, format (bidi) and separator characters are escaped too, so
 * that `tail -f` shows a hostile value as text and a line never contains a newline.
 */
export type LogfmtFields = Readonly<Record<string, string>>;

const BARE = /^[^\s"=\\\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]+$/u;
const HOSTILE = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu;
const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;
const KIND = /^[a-z]+(?:\.[a-z]+)*$/;
const KEY = /^[a-z][a-z0-9_]*$/;

/**
 * UTF-16 code units. Everything above `LAST_ASCII` is a control character or needs the Unicode
 * tables.
 */
const SPACE = 0x20;
const QUOTE = 0x22;
const EQUALS = 0x3d;
const BACKSLASH = 0x5c;
const LAST_ASCII = 0x7e;

/** Encodes fields as a line without a newline: `time` and `kind` come first, without their keys. */
export function encodeLogfmt(fields: LogfmtFields): string {
  const { time = "", kind = "", ...rest } = fields;
  const pairs = Object.entries(rest).map(([key, value]) => `${key}=${encodeValue(value)}`);
  return [time, kind, ...pairs].join(" ");
}

function encodeValue(value: string): string {
  if (isBare(value)) return value;
  return JSON.stringify(value).replace(HOSTILE, escapeUnits);
}

function escapeUnits(character: string): string {
  let escaped = "";
  for (let unit = 0; unit < character.length; unit++) {
    escaped += `\\u${character.charCodeAt(unit).toString(16).padStart(4, "0")}`;
  }
  return escaped;
}

/** Decodes one line without its newline. A duplicate key makes the line bad. */
export function decodeLogfmt(line: string): Result<LogfmtFields, BadLine> {
  const first = endOfWord(line, 0);
  const second = endOfWord(line, first + 1);
  const time = line.slice(0, first);
  const kind = line.slice(first + 1, second);
  if (!TIME.test(time)) return badLine("it does not begin with a time");
  if (!KIND.test(kind)) return badLine("its second word is not the kind of a record");
  const fields: Record<string, string> = { time, kind };
  let at = second;
  while (at < line.length) {
    const equals = line.indexOf("=", at);
    const key = line[at] === " " && equals > 0 ? keyIn(line, at + 1, equals) : undefined;
    const end = key === undefined ? -1 : endOfValue(line, equals + 1);
    const value = end < 0 ? undefined : readValue(line, equals + 1, end);
    if (key === undefined || value === undefined) {
      return badLine(`a key=value pair is broken at column ${at + 1}`);
    }
    // A key may have the name of an inherited property, such as `constructor`.
    if (Object.hasOwn(fields, key)) return badLine(`the key ${key} comes twice`);
    fields[key] = value;
    at = end;
  }
  return ok(fields);
}

/** Whether a line begins with a time, as every record does. */
export function beginsWithTime(line: string): boolean {
  return TIME.test(line.slice(0, endOfWord(line, 0)));
}

function endOfWord(line: string, from: number): number {
  const space = line.indexOf(" ", from);
  return space < 0 ? line.length : space;
}

/**
 * Keys that were already validated. Naming a field by the string kept here, rather than by a slice
 * of the line, halves the time that a line takes.
 */
const knownKeys = new Map<string, string>();
const KNOWN_KEYS_MAX = 200;

function keyIn(line: string, start: number, end: number): string | undefined {
  const key = line.slice(start, end);
  const known = knownKeys.get(key);
  if (known !== undefined || !KEY.test(key)) return known;
  if (knownKeys.size < KNOWN_KEYS_MAX) knownKeys.set(key, key);
  return key;
}

/**
 * The index after a value: a bare one ends at a space, a quoted one at its closing quote. -1 if it
 * has no end.
 */
function endOfValue(line: string, start: number): number {
  if (line[start] !== '"') return endOfWord(line, start);
  let quote = line.indexOf('"', start + 1);
  while (quote >= 0 && isEscaped(line, quote)) quote = line.indexOf('"', quote + 1);
  return quote < 0 ? -1 : quote + 1;
}

/**
 * Whether an odd number of backslashes precedes `at`. The value's opening quote stops the count.
 */
function isEscaped(line: string, at: number): boolean {
  let backslashes = 0;
  while (line[at - 1 - backslashes] === "\\") backslashes++;
  return backslashes % 2 === 1;
}

function readValue(line: string, start: number, end: number): string | undefined {
  const text = line.slice(start, end);
  if (line[start] === '"') return parseString(text);
  return isBare(text) ? text : undefined;
}

/** The same as `BARE`, but most values are ASCII, and the Unicode tables are what costs time. */
function isBare(value: string): boolean {
  for (let at = 0; at < value.length; at++) {
    const unit = value.charCodeAt(at);
    if (unit > LAST_ASCII) return BARE.test(value);
    if (unit <= SPACE || unit === QUOTE || unit === EQUALS || unit === BACKSLASH) return false;
  }
  return value.length > 0;
}

function parseString(text: string): string | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "string" ? value : undefined;
  } catch {
    return undefined;
  }
}
