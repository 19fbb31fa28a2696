import { cleanText } from "../../base/words/clean-text.ts";
import type { Tampering, TamperingKind } from "./tampering.ts";

const WORDS: Readonly<Record<TamperingKind, string>> = {
  deleted: "deleted",
  skipped: "skipped",
  focused: "focused, so that others are not run",
  emptied: "checks nothing any more",
  weakened: "checks less",
  loosened: "lets more pass",
  threshold: "threshold lowered",
  command: "test command changed",
  narrowed: "tests or failures left out by a setting",
  harness: "a file by which tests run was changed",
};

/** At most this many are listed one by one; the rest are counted. */
const LISTED_MAX = 40;
const TEXT_CHARS_MAX = 200;

/**
 * Describes what was done to tests, one line each, cleaned: the texts come from files that anybody may write.
 */
export function describeTampering(tampering: readonly Tampering[]): string {
  const listed = tampering.slice(0, LISTED_MAX).map((each) => `- ${describeOne(each)}`);
  const rest = tampering.length - listed.length;
  return [...listed, ...(rest === 0 ? [] : [`- and ${String(rest)} more`])].join("\n");
}

function describeOne({ kind, file, line, what, before, after }: Tampering): string {
  const name = what === "" ? "" : ` "${short(what)}"`;
  const change =
    before === undefined && after === undefined
      ? ""
      : ` (${short(before ?? "nothing")} → ${short(after ?? "nothing")})`;
  return `${short(file)}:${String(line)}${name}: ${WORDS[kind]}${change}`;
}

function short(text: string): string {
  return cleanText(text, { charsMax: TEXT_CHARS_MAX, lines: "one" });
}
