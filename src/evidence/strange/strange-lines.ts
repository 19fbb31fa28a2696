import type { PatchedFile } from "../../base/ports/patches.ts";

/** Lines of a file that show something else than they are. */
export interface HiddenOrder {
  readonly path: string;
  /** The first of them. */
  readonly line: number;
  readonly count: number;
}

/** Lines of a file that switch checks off. */
export interface SwitchedOff {
  readonly path: string;
  readonly count: number;
  /** What the lines say, such as `eslint-disable`. */
  readonly words: readonly string[];
}

/**
 * The characters that reorder what is shown, as in "Trojan Source" (Boucher and Anderson, 2021). The two marks
 * U+200E and U+200F reorder nothing but themselves, and text in Hebrew and Arabic needs them.
 */
const REORDERING = /[\u202a-\u202e\u2066-\u2069]/gu;

/** Files to which a range adds lines with characters that reorder what is shown. */
export function hiddenOrders(net: readonly PatchedFile[]): readonly HiddenOrder[] {
  return net.flatMap(({ path, added, removed }) => {
    const former = counted(removed.map(reordering));
    const lines = added.filter(({ text }) => {
      const own = reordering(text);
      return own !== "" && !take(former, own);
    });
    const [first] = lines;
    return first === undefined ? [] : [{ path, line: first.line, count: lines.length }];
  });
}

function reordering(text: string): string {
  return (text.match(REORDERING) ?? []).join("");
}

/** After the sign of a comment; text about these words is none. */
const COMMENT = String.raw`(?:\/\/|\/\*|#|<!--)[\s*!]*`;

const SWITCHES: readonly RegExp[] = [
  ...[
    "eslint-disable(?:-next-line|-line)?",
    "(?:biome|deno-lint|oxlint|prettier)-(?:ignore|disable)(?:-all|-file)?",
    "@ts-(?:nocheck|ignore|expect-error)",
    "tslint:disable",
    "stylelint-disable",
    "type:\\s*ignore",
    "(?:pyright|mypy|ruff|flake8|pylint):\\s*(?:ignore|noqa|disable|basic|skip-file)",
    "noqa",
    "rubocop:(?:disable|todo)",
    "(?:phpcs:(?:ignore|disable)|@phpstan-ignore|@psalm-suppress)",
    "nolint",
    "swiftlint:disable",
    "shellcheck disable",
  ].map((words) => new RegExp(`${COMMENT}(${words})(?![\\w])`, "u")),
  /^\s*(#!\[allow)\(/u,
  /^\s*(@SuppressWarnings|@Suppress)\(/u,
];

/** What each line must hold for one of them to match. */
const ANY_SWITCH =
  /disable|ignore|nocheck|expect-error|noqa|nolint|todo|allow|Suppress|basic|skip-file|psalm/u;
/** Text about code quotes these words without switching anything off. */
const PROSE = /\.(?:md|mdx|markdown|rst|adoc|txt|snap)$/iu;
/** A longer line was made by a program, and is looked at only so far; in characters. */
const LINE_CHARS_MAX = 10_000;

/** Files in which a range switches off more checks than it takes back. */
export function switchedOff(net: readonly PatchedFile[]): readonly SwitchedOff[] {
  return net.flatMap(({ path, added, removed }) => {
    if (PROSE.test(path)) return [];
    const former = counted(removed.flatMap(switchIn));
    const words = added.flatMap(({ text }) => switchIn(text)).filter((word) => !take(former, word));
    return words.length === 0 ? [] : [{ path, count: words.length, words: [...new Set(words)] }];
  });
}

/** The word with which a line switches a check off, or nothing. */
function switchIn(text: string): readonly string[] {
  const line = text.slice(0, LINE_CHARS_MAX);
  if (!ANY_SWITCH.test(line)) return [];
  const word = SWITCHES.map((pattern) => pattern.exec(line)?.[1]).find((one) => one !== undefined);
  return word === undefined ? [] : [word.replaceAll(/\s+/gu, " ")];
}

function counted(words: readonly string[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const word of words) counts.set(word, (counts.get(word) ?? 0) + 1);
  return counts;
}

/** Takes one of a word from the counts; false if there is none left. */
function take(counts: Map<string, number>, word: string): boolean {
  const left = counts.get(word) ?? 0;
  if (left > 0) counts.set(word, left - 1);
  return left > 0;
}
