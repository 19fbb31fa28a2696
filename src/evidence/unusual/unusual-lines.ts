import type { Oid } from "../../base/oid.ts";
import { cleanText } from "../../base/words/clean-text.ts";
import type { LinkEnd } from "../../base/ports/brought-in.ts";
import type { Unusual } from "./find-unusual.ts";
import { strangeWords } from "./strange-words.ts";

/** At most this many lines per kind; the rest are counted. */
const ROWS_MAX = 10;
const COMMITS_MAX = 5;
const WORDS_CHARS_MAX = 200;
const SHORT_SHA_CHARS = 7;

/** The kinds in the order of their lines, with the plural for those that are only counted. */
const KINDS: readonly (readonly [Unusual["kind"], string])[] = [
  ["secret", "secrets"],
  ["trailer", "lines in the name of people"],
  ["hidden order", "files whose text is not what it shows"],
  ["link", "links"],
  ["submodule", "submodules"],
  ["large file", "large files"],
  ["dependency", "files with new dependencies"],
  ["switched off", "files with checks switched off"],
  ["check settings", "settings of checks"],
  ["lost document", "deleted documents"],
  ["left behind", "files that no commit has"],
  ["person", "people"],
  ["date", "dates"],
  ["not whole", "ranges"],
  ["unread", "ranges"],
];

/** The title above the lines. */
export const UNUSUAL_TITLE = "What is unusual about the commits";

/**
 * One line for each unusual thing, with its commits, ordered by kind. `shown` escapes texts from git for the
 * place where the lines are shown.
 */
export function unusualLines(
  unusual: readonly Unusual[],
  shown: (words: string) => string = plainWords,
): readonly string[] {
  return unusualByKind(unusual, shown, ROWS_MAX).flat();
}

/** Like `unusualLines`, but with the lines grouped by kind, and at most `rowsMax` per kind. */
export function unusualByKind(
  unusual: readonly Unusual[],
  shown: (words: string) => string = plainWords,
  rowsMax: number,
): readonly (readonly string[])[] {
  return KINDS.flatMap(([kind, plural]) => {
    const own = unusual.filter((one) => one.kind === kind);
    const lines = own.slice(0, rowsMax).map((one) => `${wordsOf(one, shown)}${madeBy(one)}`);
    const rest = own.length - lines.length;
    if (own.length === 0) return [];
    return [rest > 0 ? [...lines, `and ${String(rest)} more ${plural}`] : lines];
  });
}

function wordsOf(one: Unusual, shown: (words: string) => string): string {
  switch (one.kind) {
    case "link":
      return `${shown(`${one.path} -> ${one.target}`)} (${ENDS[one.end]})`;
    case "submodule":
      return `${shown(one.path)} (submodule: what it holds is not in these commits)`;
    case "large file":
      return `${shown(one.path)} (${(one.bytes / BYTES_PER_MIB).toFixed(1)} MiB, which stay in the history)`;
    case "person":
      return `${shown(`${one.name} <${one.email}>`)} (author or committer who is not you)`;
    case "date":
      return one.when === "before"
        ? "commits dated more than a day before what they build on"
        : "commits dated more than a day ahead";
    case "unread":
      return `what the commits bring could not be read: ${shown(one.why)}`;
    default:
      return strangeWords(one, shown);
  }
}

const BYTES_PER_MIB = 1024 * 1024;

const ENDS: Readonly<Record<LinkEnd, string>> = {
  absolute: "link to an absolute path",
  outside: "link that leaves the repository",
  git: "link into the directory of git",
  endless: "link that leads round and round",
  unknown: "link that nobody followed to its end",
};

function madeBy({ commits }: Unusual): string {
  if (commits.length === 0) return "";
  const more = commits.length - COMMITS_MAX;
  const named = commits.slice(0, COMMITS_MAX).map(short).join(", ");
  return `: ${named}${more > 0 ? ` and ${String(more)} more` : ""}`;
}

function short(sha: Oid): string {
  return sha.slice(0, SHORT_SHA_CHARS);
}

function plainWords(words: string): string {
  return cleanText(words, { charsMax: WORDS_CHARS_MAX, lines: "one" });
}
