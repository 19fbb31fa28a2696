import { REASON_CHARS_MAX } from "../base/limits.ts";
import { cleanText } from "../base/words/clean-text.ts";

/** Makes a text from outside wisp safe for a record: one line of bounded length. */
export function clip(text: string): string {
  return cleanText(text, { charsMax: REASON_CHARS_MAX, lines: "one" });
}
