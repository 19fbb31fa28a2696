import { cleanText } from "./clean-text.ts";

const SHOWN_CHARS_MAX = 300;

/** Outside text, made safe to print on one line. */
export function shown(text: string): string {
  return cleanText(text, { charsMax: SHOWN_CHARS_MAX, lines: "one" });
}
