import type { PlainKey } from "../key.ts";

/** What terminals send for keys: of xterm and of what follows it, of VT220, of rxvt and of the Linux console. */
export const SEQUENCE_KEYS: ReadonlyMap<string, PlainKey> = new Map([
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
  ["\u001B[3~", "delete"],
  // With Control or Alt.
  ["\u001B[1;5D", "word-left"],
  ["\u001B[1;3D", "word-left"],
  ["\u001BOd", "word-left"],
  ["\u001Bb", "word-left"],
  ["\u001B[1;5C", "word-right"],
  ["\u001B[1;3C", "word-right"],
  ["\u001BOc", "word-right"],
  ["\u001Bf", "word-right"],
  ["\u001B\u007F", "erase-word"],
  ["\u001B\u0008", "erase-word"],
  // Enter with Alt, or with Shift on terminals that tell.
  ["\u001B\r", "new-line"],
  ["\u001B\n", "new-line"],
  ["\u001B[13;2u", "new-line"],
  ["\u001B[27;2;13~", "new-line"],
  // Ctrl-C counts, even right after Escape.
  ["\u001B\u0003", "interrupt"],
]);

/** Single characters that are keys; those with Control are the keys of readline. */
export const CONTROL_KEYS: ReadonlyMap<string, PlainKey> = new Map([
  ["\u0001", "home"],
  ["\u0002", "left"],
  ["\u0003", "interrupt"],
  ["\u0004", "delete"],
  ["\u0005", "end"],
  ["\u0006", "right"],
  ["\u0008", "backspace"],
  ["\t", "tab"],
  ["\n", "new-line"],
  ["\u000B", "erase-rest"],
  ["\u000C", "redraw"],
  ["\r", "enter"],
  ["\u000E", "down"],
  ["\u0010", "up"],
  ["\u0015", "erase-line"],
  ["\u0017", "erase-word"],
  ["\u001A", "suspend"],
  ["\u007F", "backspace"],
]);
