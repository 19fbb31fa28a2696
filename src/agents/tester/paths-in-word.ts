import type { CommandPlaces } from "./command-places.ts";

/** How a program takes a word: as a path or other value, as text of a language, or as a pattern to look for. */
export type Reading = "value" | "script" | "pattern";

/** An absolute path in a word. */
export interface PathInWord {
  readonly start: number;
  readonly end: number;
  /** Without the escapes of a URL. */
  readonly path: string;
  /** Whether it is written as a `file:` URL; then `start` is that of the path in it. */
  readonly isUrl: boolean;
  /** Whether nothing else is in the word's value, so that no quotes or spaces around it matter. */
  readonly isWhole: boolean;
}

/** What may follow a path in a word: `tests/test_a.py::test_b`, and `src/a.js:12`. */
const SUFFIX = /(?:::.*|(?::\d+){1,2})$/su;
/** The beginning of a value in a word: after `--flag=`, `NAME=`, or an option of one letter. */
const VALUE = /^(?:--?[\w-]+=|[A-Za-z_]\w*=|-[A-Za-z](?=\/))?/u;
/**
 * A slash where a path may begin, so not within one, nor in a URL; also right after an option of one letter, as
 * in `-I/usr/include`.
 */
const START =
  /(?:(?<![\p{L}\p{N}_.~@%+)\]}/\\-])|(?<=(?<![\p{L}\p{N}_-])-[A-Za-z]))(?:file:\/\/(?=\/)|\/)/gu;
const NAMED = /[\p{L}\p{N}_@%+.~/-]+/uy;
const IN_URL = /[^\s'"`<>()]+/uy;

/** The absolute paths in a word, in their order. */
export function pathsInWord(
  word: string,
  reading: Reading,
  places: Pick<CommandPlaces, "roots" | "isThere">,
): readonly PathInWord[] {
  const from = reading === "value" ? (VALUE.exec(word)?.[0].length ?? 0) : 0;
  const whole = reading === "value" ? wholeValue(word, from, places) : undefined;
  if (whole !== undefined) return [whole];
  const found: PathInWord[] = [];
  for (const match of word.matchAll(START)) {
    const at = match.index;
    const isUrl = match[0] !== "/";
    // The rest of a path that was found already, and the two slashes of any other URL.
    if (at < (found.at(-1)?.end ?? 0)) continue;
    if (!isUrl && word.startsWith("//", at)) continue;
    const one = isUrl ? inUrl(word, at + match[0].length) : inText(word, at, places);
    const isRest = SUFFIX.test(word.slice(one.end)) || one.end === word.length;
    if (one.path !== "/")
      found.push({ ...one, isWhole: reading === "value" && at === from && isRest });
  }
  return found;
}

/**
 * A value that is one path, whatever characters are in it: it exists, or is below one of the roots and no second
 * path can begin in it.
 */
function wholeValue(
  word: string,
  start: number,
  { roots, isThere }: Pick<CommandPlaces, "roots" | "isThere">,
): PathInWord | undefined {
  const path = word.slice(start).replace(SUFFIX, "");
  if (!path.startsWith("/") || path === "/") return undefined;
  const isIn = (root: string) =>
    path.startsWith(`${root}/`) && !SECOND.test(path.slice(root.length));
  if (!isThere(path) && !roots.some(isIn)) return undefined;
  return { start, end: start + path.length, path, isUrl: false, isWhole: true };
}

const SECOND = /[^\p{L}\p{N}_@%+.~-]\//u;

type Found = Omit<PathInWord, "isWhole">;

/** A known root may have any characters in its name; of the rest of a path only those of plain names count. */
function inText(word: string, start: number, { roots }: Pick<CommandPlaces, "roots">): Found {
  const root = roots.find((one) => word.startsWith(one, start)) ?? "";
  NAMED.lastIndex = start + root.length;
  const rest = NAMED.exec(word)?.[0] ?? "";
  // The end of a sentence is no part of the path.
  const path = (root + rest).replace(/(?<=[^/.])\.+$/u, "");
  return { start, end: start + path.length, path, isUrl: false };
}

function inUrl(word: string, start: number): Found {
  IN_URL.lastIndex = start;
  const [text = ""] = IN_URL.exec(word) ?? [];
  const path = text.replace(/[?#].*$/su, "");
  return { start, end: start + path.length, path: decoded(path), isUrl: true };
}

/** Escapes that are none stay, so that the path is found nowhere. */
function decoded(path: string): string {
  return path.replace(/(?:%[\da-f]{2})+/giu, (escapes) =>
    Buffer.from(escapes.replaceAll("%", ""), "hex").toString("utf8"),
  );
}
