import type { Key } from "./key.ts";

/** A line that is being edited. */
export interface EditedLine {
  readonly text: string;
  /** UTF-16 code units before the cursor. */
  readonly cursor: number;
}

export const EMPTY_LINE: EditedLine = { text: "", cursor: 0 };

/** The line after a key; keys without a meaning here leave it unchanged. */
export function editLine(line: EditedLine, key: Key): EditedLine {
  const { text, cursor } = line;
  const [before, after] = [text.slice(0, cursor), text.slice(cursor)];
  switch (key.kind) {
    case "text":
      return { text: before + key.text + after, cursor: cursor + key.text.length };
    case "backspace": {
      const kept = before.slice(0, cursor - lastLength(before));
      return { text: kept + after, cursor: kept.length };
    }
    case "erase-line":
      return { text: after, cursor: 0 };
    case "left":
      return { text, cursor: cursor - lastLength(before) };
    case "right":
      return { text, cursor: cursor + firstLength(after) };
    case "home":
      return { text, cursor: 0 };
    case "end":
      return { text, cursor: text.length };
    default:
      return line;
  }
}

function firstLength(text: string): number {
  return /^./su.exec(text)?.[0].length ?? 0;
}

function lastLength(text: string): number {
  return /.$/su.exec(text)?.[0].length ?? 0;
}
