import { cleanText } from "../../base/words/clean-text.ts";
import { decodeKeyPart } from "../../fs-protocol/tasks/milestone-name.ts";
import { commitsOf } from "../../fs-protocol/records/unit-key.ts";

/** Enough of a name for one line of a terminal. */
const NAME_CHARS_MAX = 60;
const SHA_CHARS = 10;

/** A commit's id as people read it. */
export function shortSha(sha: string): string {
  return sha.slice(0, SHA_CHARS);
}

/** Where a branch is, in words that go behind its name. */
export function whereItIs(head: string | undefined): string {
  return head === undefined ? "is gone" : `at ${shortSha(head)}`;
}

/** A name of the world in quotes, safe to print. */
export function quoted(name: string): string {
  return `"${cleanText(name, { charsMax: NAME_CHARS_MAX, lines: "one" })}"`;
}

/** A unit's key in words that go behind "works at": `build:API:2` gives `building "API" (attempt 2)`. */
export function describeUnit(unit: string): string {
  const [kind = "", first = "", second = "", third = ""] = unit.split(":");
  switch (kind) {
    case "plan":
      return first === "b0" ? "the plan" : `re-planning after ${milestones(first)}`;
    case "base":
      return `verify at the commit that the session begins with, ${shortSha(quotedId(first))}`;
    case "build":
      return `building ${named(first)}${attempt(second)}`;
    case "hint":
      return `a stuck hint for ${named(first)} after ${attempts(second)}`;
    case "fix":
      return `fixing ${quotedId(first)}${attempt(second)}`;
    case "commit":
      return `reviewing ${commits(unit, first)}`;
    case "review":
      return `reviewing milestone ${named(first)}`;
    case "verify":
      return `looking again at ${quotedId(first)}${attempt(third)}`;
    case "test":
      return `testing milestone ${named(first)}`;
    case "remote":
      return "a look at the branch at the remote";
    case "final":
      return `the final pass ${cleanText(first, { charsMax: NAME_CHARS_MAX, lines: "one" })}`;
    default:
      return quoted(unit);
  }
}

function named(part: string): string {
  return quoted(decodeKeyPart(part) ?? part);
}

function quotedId(id: string): string {
  return cleanText(id, { charsMax: NAME_CHARS_MAX, lines: "one" });
}

function commits(unit: string, text: string): string {
  const { first = text, last = text } = commitsOf(unit) ?? {};
  if (first === last) return `commit ${shortSha(quotedId(first))}`;
  return `commits ${shortSha(first)} to ${shortSha(last)}`;
}

function attempt(text: string): string {
  return text === "" || text === "1" ? "" : ` (attempt ${quotedId(text)})`;
}

function attempts(text: string): string {
  return text === "1" ? "1 attempt" : `${quotedId(text)} attempts`;
}

function milestones(boundary: string): string {
  const count = Number(boundary.slice(1));
  return count === 1 ? "1 milestone" : `${String(count)} milestones`;
}
