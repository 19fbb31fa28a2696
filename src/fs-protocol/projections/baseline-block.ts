import { cleanText } from "../../base/words/clean-text.ts";

/** The maximum number of failing tests that the entry lists; the rest is counted. */
const NAMED_MAX = 100;
const NAME_CHARS_MAX = 300;

/**
 * Encodes one `[Baseline]` entry of PROGRESS.txt: verify's result at the session's base, if it was
 * red.
 */
export function encodeBaseline({
  time,
  failing,
}: {
  /** As in records. */
  readonly time: string;
  /** Names of failing tests; empty if none could be determined. */
  readonly failing: readonly string[];
}): string {
  const named = failing.slice(0, NAMED_MAX).map((name) => `- ${nameOf(name)}`);
  const more = failing.length - named.length;
  return [
    `[Baseline] ${time.slice(0, 10)} ${time.slice(11, 16)} UTC - verify`,
    "### Red before the work began",
    named.length === 0
      ? "Verify failed; which tests, its output does not say."
      : [...named, ...(more === 0 ? [] : [`- and ${String(more)} more`])].join("\n"),
    "No milestone is blamed for these.",
    "---\n\n",
  ].join("\n\n");
}

/** Escapes a name whose first character could be taken for structure. */
function nameOf(name: string): string {
  const clean = cleanText(name, { charsMax: NAME_CHARS_MAX, lines: "one" });
  return /^[\p{L}\p{N}]/u.test(clean) ? clean : `\\${clean}`;
}
