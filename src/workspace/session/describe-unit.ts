import { count } from "../../base/words/sentence.ts";
import { cleanText } from "../../base/words/clean-text.ts";
import { encodeBatch } from "../../fs-protocol/records/item-id.ts";
import { decodeUnit } from "../../fs-protocol/records/unit-key.ts";

/** Enough of a name for one line of a terminal. */
const NAME_CHARS_MAX = 60;
const SHA_CHARS = 10;

/** The short form of a commit id. */
export function shortSha(sha: string): string {
  return sha.slice(0, SHA_CHARS);
}

/** Where a branch points, as a suffix to its name. */
export function whereItIs(head: string | undefined): string {
  return head === undefined ? "is gone" : `at ${shortSha(head)}`;
}

/** An untrusted name in quotes, safe to print. */
export function quoted(name: string): string {
  return `"${cleanText(name, { charsMax: NAME_CHARS_MAX, lines: "one" })}"`;
}

/** A unit's key in words that fit after "working on": `build:API:2` gives `building "API" (attempt 2)`. */
export function describeUnit(key: string): string {
  const unit = decodeUnit(key);
  switch (unit?.kind) {
    case "plan": {
      const { boundary } = unit;
      return boundary === 0 ? "the plan" : `re-planning after ${count(boundary, "milestone")}`;
    }
    case "base":
      return `verify at the base of the session, ${shortSha(unit.at)}`;
    case "build":
      return `building ${quoted(unit.milestone)}${attemptWords(unit)}`;
    case "hint":
      return `a stuck hint for ${quoted(unit.milestone)} after ${count(unit.attempts, "attempt")}`;
    case "fix":
      return `fixing ${idWords(encodeBatch(unit.ids))}${attemptWords(unit)}`;
    case "commit": {
      const [first, last] = [shortSha(unit.first), shortSha(unit.last)];
      return `reviewing ${unit.first === unit.last ? `commit ${first}` : `commits ${first} to ${last}`}`;
    }
    case "review":
      return `reviewing milestone ${quoted(unit.milestone)}`;
    case "verify":
      return `rechecking ${idWords(unit.id)}${attemptWords(unit)}`;
    case "test":
      return `testing milestone ${quoted(unit.milestone)}`;
    case "remote":
      return "a check of the branch at the remote";
    case "final":
      return `the final pass ${String(unit.n)}`;
    case undefined:
      return quoted(key);
  }
}

function idWords(id: string): string {
  return cleanText(id, { charsMax: NAME_CHARS_MAX, lines: "one" });
}

function attemptWords({ attempt }: { readonly attempt: number }): string {
  return attempt === 1 ? "" : ` (attempt ${String(attempt)})`;
}
