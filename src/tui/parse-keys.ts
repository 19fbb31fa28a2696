import type { Key } from "./key.ts";

/** An escape sequence of a terminal, or text without any. A lone escape character is the key Escape. */
const PIECE = /\u001B(?:\[[0-9;?<]*[ -/]*[@-~]|O[@-~]|[^\u001B])?|[^\u001B]+/gu;

/**
 * The keys in one piece of input from a terminal in raw mode: a key press, or text that was typed quickly or pasted. Keys
 * that the screen does not know are left out.
 */
export function parseKeys(input: string): readonly Key[] {
  return [...input.matchAll(PIECE)].flatMap(([piece]) => {
    if (!piece.startsWith("\u001B")) return textKeys(piece);
    const kind = SEQUENCES.get(piece);
    return kind === undefined ? [] : [{ kind }];
  });
}

type NamedKind = Exclude<Key["kind"], "text">;

/** What terminals send for keys: of xterm and of what follows it, of VT220, of rxvt and of the Linux console. */
const SEQUENCES: ReadonlyMap<string, NamedKind> = new Map([
  ["\u001B", "escape"],
  ["\u001B[A", "up"],
  ["\u001BOA", "up"],
  ["\u001B[B", "down"],
  ["\u001BOB", "down"],
  ["\u001B[C", "right"],
  ["\u001BOC", "right"],
  ["\u001B[D", "left"],
  ["\u001BOD", "left"],
  ["\u001B[5~", "page-up"],
  ["\u001B[6~", "page-down"],
  ["\u001B[H", "home"],
  ["\u001BOH", "home"],
  ["\u001B[1~", "home"],
  ["\u001B[7~", "home"],
  ["\u001B[F", "end"],
  ["\u001BOF", "end"],
  ["\u001B[4~", "end"],
  ["\u001B[8~", "end"],
  // The key for deleting forward.
  ["\u001B[3~", "backspace"],
]);

/**
 * The keys in text. It may contain control keys and end with Enter. A line break in the middle is part of the pasted
 * text.
 */
function textKeys(input: string): readonly Key[] {
  const isEntered = /[\r\n]$/u.test(input);
  const text = input.replace(/(?:\r\n|\r|\n)$/u, "");
  const keys = text.split(CONTROL).flatMap((part): readonly Key[] => {
    const kind = CONTROLS.get(part);
    if (kind !== undefined) return [{ kind }];
    // A tab in the middle is pasted.
    if (part === "\t" && part === text) return [{ kind: "tab" }];
    const clean = part.replace(/\p{Cc}/gu, " ");
    return clean === "" ? [] : [{ kind: "text", text: clean }];
  });
  return isEntered ? [...keys, { kind: "enter" }] : keys;
}

/** Keys that are held down with Control, and backspace. */
const CONTROLS: ReadonlyMap<string, NamedKind> = new Map([
  ["\u0001", "home"],
  ["\u0003", "interrupt"],
  ["\u0005", "end"],
  ["\u0008", "backspace"],
  ["\u0015", "erase-line"],
  ["\u007F", "backspace"],
]);

const CONTROL = /([\u0001\u0003\u0005\u0008\u0015\u007F])/u;
