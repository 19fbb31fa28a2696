import { REASON_CHARS_MAX } from "../../base/limits.ts";
import { cleanText } from "../../base/words/clean-text.ts";

/** A text of the world as one bounded line of a record. */
export function clip(text: string): string {
  return cleanText(text, { charsMax: REASON_CHARS_MAX, lines: "one" });
}
