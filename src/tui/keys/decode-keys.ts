import { KEY_SEQUENCE_CHARS_MAX, PASTE_CHARS_MAX } from "../../base/limits.ts";
import { cleanText } from "../../base/words/clean-text.ts";
import { CONTROL_KEYS, SEQUENCE_KEYS } from "./key-names.ts";
import type { Key } from "../key.ts";

/*
 * The decoder of `node:readline` is not used: it takes only the first characters of a sequence that it does not know, such
 * as a mouse report or a terminal's reply, and types the rest as text.
 */

/** Input that is not a whole key yet. */
export interface BegunInput {
  /** The beginning of a sequence. */
  readonly rest: string;
  /** The text of a paste whose end has not arrived; undefined outside of a paste. */
  readonly pasted: string | undefined;
}

export const NOTHING_BEGUN: BegunInput = { rest: "", pasted: undefined };

/** The keys in a piece of input, and what is left for the next piece. */
export interface DecodedKeys {
  readonly keys: readonly Key[];
  readonly begun: BegunInput;
}

/**
 * The keys in the next piece of input from a terminal in raw mode. However the input is divided into pieces, the keys are
 * the same, text aside, which may arrive in several pieces. Sequences that are no key here are left out as a whole.
 */
export function decodeKeys(before: BegunInput, input: string): DecodedKeys {
  const keys: Key[] = [];
  let { pasted } = before;
  let rest = before.rest + input.replaceAll("\u009B", "\u001B[");
  while (rest !== "") {
    const taken = pasted === undefined ? takeOne(rest) : takePasted(rest, pasted);
    if (taken === undefined) break;
    rest = rest.slice(taken.length);
    pasted = taken.pasted;
    keys.push(...taken.keys);
  }
  return { keys, begun: { rest: shortened(rest), pasted } };
}

/** The keys of what was begun, if nothing has followed it for a while. */
export function endPause({ rest, pasted }: BegunInput): readonly Key[] {
  if (pasted !== undefined) return pasteKeys(pasted);
  return /^\u001B{1,2}$/u.test(rest) ? Array.from(rest, () => ({ kind: "escape" })) : [];
}

/** Whether what was begun can hardly be anything but a key that was pressed. */
export function isLikelyKey({ rest, pasted }: BegunInput): boolean {
  return pasted === undefined && /^\u001B(?:\u001B|[\]PX^_])?$/u.test(rest);
}

/** The next part of the input. */
interface Taken {
  readonly length: number;
  readonly keys: readonly Key[];
  readonly pasted?: string;
}

const TEXT = /[^\u001B]+/uy;

/**
 * A sequence as a whole: one with parameters (CSI; also F1 of the Linux console, and a mouse report of three bytes), of
 * the keypad (SS3), a terminal's reply with its text, or a key with Alt. Alt can also precede the first two.
 */
const WHOLE =
  /\u001B\u001B?(?:\[\[\P{Cc}|\[M\P{Cc}{3}|\[(?![[M])[ -?]*[@-~]|O[0-9;]*[@-~])|\u001B[\]PX^_]\P{Cc}*(?:\u0007|\u001B\\|\u009C)|\u001B[^\u001B[O\]PX^_]/uy;

/** The beginning of one of these, up to the end of the input. */
const BEGUN =
  /\u001B(?:\u001B?(?:\[(?:\[|M\P{Cc}{0,2}|[ -?]*)?|O[0-9;]*)?|[\]PX^_]\P{Cc}*\u001B?)$/uy;

/** The part of a broken sequence that certainly belongs to it. */
const BROKEN = /\u001B(?:\u001B?(?:\[(?:\[|M\P{Cc}{0,2}|[ -?]*)|O[0-9;]*)|[\]PX^_]\P{Cc}*)/uy;

const PASTE_BEGIN = "\u001B[200~";
const PASTE_END = "\u001B[201~";

function takeOne(input: string): Taken | undefined {
  const text = matchAtStart(TEXT, input);
  if (text !== undefined) return { length: text.length, keys: textKeys(text) };
  const whole = matchAtStart(WHOLE, input);
  if (whole === PASTE_BEGIN) return { length: whole.length, keys: [], pasted: "" };
  if (whole !== undefined) return { length: whole.length, keys: sequenceKeys(whole) };
  if (matchAtStart(BEGUN, input) !== undefined) return undefined;
  const broken = matchAtStart(BROKEN, input);
  // Escape was pressed, and then something else that begins with it.
  if (broken === undefined) return { length: 1, keys: [{ kind: "escape" }] };
  return { length: broken.length, keys: [] };
}

function takePasted(input: string, before: string): Taken | undefined {
  const end = input.indexOf(PASTE_END);
  if (end !== -1) {
    return { length: end + PASTE_END.length, keys: pasteKeys(before + input.slice(0, end)) };
  }
  const length = input.length - endBegun(input);
  if (length === 0) return undefined;
  return { length, keys: [], pasted: (before + input.slice(0, length)).slice(0, PASTE_CHARS_MAX) };
}

/** How many characters at the end of the input may begin the end of the paste. */
function endBegun(input: string): number {
  const most = Math.min(PASTE_END.length - 1, input.length);
  for (let count = most; count > 0; count--) {
    if (input.endsWith(PASTE_END.slice(0, count))) return count;
  }
  return 0;
}

function matchAtStart(pattern: RegExp, input: string): string | undefined {
  pattern.lastIndex = 0;
  return pattern.exec(input)?.[0];
}

function sequenceKeys(sequence: string): readonly Key[] {
  const kind = SEQUENCE_KEYS.get(sequence.replace(/^\u001B\u001B/u, "\u001B"));
  return kind === undefined ? [] : [{ kind }];
}

/** Keys that type text, and keys with Control; other control characters are left out. */
function textKeys(input: string): readonly Key[] {
  return input.split(/(\p{Cc})/u).flatMap((part): readonly Key[] => {
    const kind = CONTROL_KEYS.get(part);
    if (kind !== undefined) return [{ kind }];
    const text = part.replace(UNPRINTABLE, "");
    return text === "" ? [] : [{ kind: "text", text }];
  });
}

// Format characters, such as those that change the direction of text, are removed from answers, too.
const UNPRINTABLE = /[\p{Cc}\p{Cf}\p{Cs}]/gu;

const TAB_CELLS = 4;

function pasteKeys(pasted: string): readonly Key[] {
  const text = cleanText(pasted.slice(0, PASTE_CHARS_MAX), {
    charsMax: PASTE_CHARS_MAX,
    lines: "many",
  }).replaceAll("\t", " ".repeat(TAB_CELLS));
  return text === "" ? [] : [{ kind: "paste", text }];
}

/** A sequence that is longer than any key still has to end, so its beginning and its last character are kept. */
function shortened(rest: string): string {
  if (rest.length <= KEY_SEQUENCE_CHARS_MAX) return rest;
  const begin = /^\u001B\u001B?./u.exec(rest)?.[0] ?? "";
  return `${begin}0${rest.slice(-1)}`;
}
