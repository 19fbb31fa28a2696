import { takeCells, widthOf } from "../views/rows/cells.ts";
import type { Key } from "./key.ts";

/** A text that is being edited; only an answer can have several lines. */
export interface EditedLine {
  readonly text: string;
  /** UTF-16 code units before the cursor. */
  readonly cursor: number;
}

export const EMPTY_LINE: EditedLine = { text: "", cursor: 0 };

/** The text after a key, which does what it does in readline; keys without a meaning here leave it unchanged. */
export function editLine(line: EditedLine, key: Key): EditedLine {
  const [before, after] = [line.text.slice(0, line.cursor), line.text.slice(line.cursor)];
  switch (key.kind) {
    case "text":
    case "paste":
      return joined(before + key.text, after);
    case "new-line":
      return joined(`${before}\n`, after);
    case "backspace":
      return joined(without(before, /.$/su), after);
    case "delete":
      return joined(before, without(after, /^./su));
    case "erase-line":
      return joined(without(before, /(?:[^\n]+|\n)$/u), after);
    case "erase-rest":
      return joined(before, without(after, /^(?:[^\n]+|\n)/u));
    case "erase-word":
      return joined(without(before, /(?:^|(?<=\s))\S*\s*$/u), after);
    default:
      return moved(line, key.kind, [before, after]);
  }
}

/** As much of a key's text as leaves the whole text at most `charsMax` long, without dividing a character. */
export function fittingKey(line: EditedLine, key: Key, charsMax: number): Key {
  const room = charsMax - line.text.length;
  if (key.kind === "new-line") return room > 0 ? key : { kind: "text", text: "" };
  if (key.kind !== "text" && key.kind !== "paste") return key;
  return { ...key, text: key.text.slice(0, room).replace(/[\ud800-\udbff]$/, "") };
}

function moved(
  { text, cursor }: EditedLine,
  kind: Key["kind"],
  [before, after]: readonly [string, string],
): EditedLine {
  switch (kind) {
    case "left":
      return { text, cursor: cursor - lengthOf(before, /.$/su) };
    case "right":
      return { text, cursor: cursor + lengthOf(after, /^./su) };
    case "word-left":
      return { text, cursor: cursor - lengthOf(before, /[\p{L}\p{N}_]*[^\p{L}\p{N}_]*$/u) };
    case "word-right":
      return { text, cursor: cursor + lengthOf(after, /^[^\p{L}\p{N}_]*[\p{L}\p{N}_]*/u) };
    case "home":
      return { text, cursor: cursor - lengthOf(before, /[^\n]*$/u) };
    case "end":
      return { text, cursor: cursor + lengthOf(after, /^[^\n]*/u) };
    case "up":
      return { text, cursor: above(before) };
    case "down":
      return { text, cursor: cursor + below(before, after) };
    default:
      return { text, cursor };
  }
}

/** The cursor in the same column of the line above; in the first line, it stays. */
function above(before: string): number {
  const lines = before.split("\n");
  const [line, upper] = [lines.pop(), lines.pop()];
  if (line === undefined || upper === undefined) return before.length;
  const begin = before.length - line.length - 1 - upper.length;
  return begin + takeCells(upper, widthOf(line)).length;
}

/** How far the same column of the line below is from the cursor; 0 in the last line. */
function below(before: string, after: string): number {
  const [rest = "", lower] = after.split("\n");
  const line = before.slice(before.lastIndexOf("\n") + 1);
  return lower === undefined ? 0 : rest.length + 1 + takeCells(lower, widthOf(line)).length;
}

function joined(before: string, after: string): EditedLine {
  return { text: before + after, cursor: before.length };
}

function without(text: string, part: RegExp): string {
  return text.replace(part, "");
}

function lengthOf(text: string, part: RegExp): number {
  return part.exec(text)?.[0].length ?? 0;
}
