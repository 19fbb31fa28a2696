import { posix } from "node:path";
import type { PatchedFile } from "../../base/ports/patches.ts";
import { PRODUCED_FOLDERS } from "../../base/produced-folders.ts";

/** A path from the top of the repository that a changed file may name. */
export interface NamedPath {
  readonly path: string;
  /** The file that names it. */
  readonly by: string;
}

/** The paths that added lines may name, as far as they were looked through. */
export interface NamedPaths {
  readonly named: readonly NamedPath[];
  /** False if a limit left something out. */
  readonly isWhole: boolean;
}

/** The different words of all added lines that are taken for paths at most. */
const WORDS_MAX = 100_000;
const WORD_CHARS_MAX = 300;

const WORD = /[\p{L}\p{N}_@+~./-]+/gu;
/** `"config", "local.json"` and `"config" / "local.json"`, as programs join paths. */
const JOINED = /["'`]\s*[,/]\s*["'`]/gu;
const IMPORTED = /^\s*(?:from|import)\s+(?<dots>\.*)(?<module>[\w.]+)/u;

/** The ends that imports leave out, or write otherwise. */
const ENDS = [".js", ".mjs", ".cjs", ".ts", ".tsx", ".jsx", ".json"];
const SCRIPT = /\.[cm]?js$/u;

/**
 * The paths that the added lines of these files may name: from the top, or from the folder of the file that names
 * them. A bare name counts where the file would be next to it, or at the top. No path leads into folders that tools
 * make, nor into others than those that `hasFolder` knows. Total.
 */
export function namedPaths(
  files: readonly PatchedFile[],
  hasFolder: (path: string) => boolean,
): NamedPaths {
  const words = new Map<string, Word>();
  for (const word of wordsOf(files)) {
    if (words.size > WORDS_MAX) break;
    words.set(`${posix.dirname(word.by)}\0${word.text}`, word);
  }
  const named = new Map<string, string>();
  for (const { text, by } of [...words.values()].slice(0, WORDS_MAX)) {
    const paths = pathsOf(text, posix.dirname(by)).filter((path) => hasFolder(posix.dirname(path)));
    for (const path of paths.flatMap(spelled)) named.set(path, named.get(path) ?? by);
  }
  const isWhole = words.size <= WORDS_MAX;
  return { named: [...named].map(([path, by]) => ({ path, by })), isWhole };
}

interface Word {
  readonly text: string;
  readonly by: string;
}

/** What is listed in these is left out somewhere, or has attributes: nothing reads it. */
const LISTS = /(?:^|\/)(?:\.\w+ignore|\.gitattributes)$/u;

function* wordsOf(files: readonly PatchedFile[]): Iterable<Word> {
  for (const { path: by, added } of files) {
    if (LISTS.test(by)) continue;
    for (const line of added) yield* wordsIn(line.text, by).map((text) => ({ text, by }));
  }
}

function wordsIn(text: string, by: string): readonly string[] {
  const joined = text.replaceAll("\\", "/").replaceAll(JOINED, "/");
  const words = (joined.match(WORD) ?? []).filter(mayBePath);
  const imported = by.endsWith(".py") ? IMPORTED.exec(text)?.groups : undefined;
  return [...words, ...(imported === undefined ? [] : [modulePath(imported)])];
}

/** `.local` and `config.local`, as Python names modules. */
function modulePath({ dots = "", module = "" }: Readonly<Record<string, string>>): string {
  const up = dots === "" ? "" : `./${"../".repeat(dots.length - 1)}`;
  return `${up}${module.replaceAll(".", "/")}.py`;
}

/** It has a slash or a dot, and is no address. */
function mayBePath(word: string): boolean {
  return word.length <= WORD_CHARS_MAX && /[./]/u.test(word) && !word.startsWith("//");
}

function pathsOf(word: string, folder: string): readonly string[] {
  // The end of a sentence is no part of a name, and `${top}/config/local.json` is cut before its slash.
  const own = word.replace(/(?<!\.)\.+$/u, "");
  const plain = own.replace(/^\/+/u, "");
  const places = [plain, ...(own.startsWith("/") ? [] : [posix.join(folder, plain)])];
  return places.map((path) => posix.normalize(path)).filter(isInside);
}

function spelled(path: string): readonly string[] {
  if (SCRIPT.test(path)) return [path, path.replace(SCRIPT, ".ts")];
  return path.includes("/") ? [path, ...ENDS.map((end) => `${path}${end}`)] : [path];
}

/** What programs write as they run, and what is compiled beside a source. */
const PRODUCED_FILE = /\.(?:log|pid|pyc)$/u;

function isInside(path: string): boolean {
  const parts = path.split("/");
  const isPlain = path !== "" && path !== "." && parts[0] !== ".." && !path.endsWith("/");
  return isPlain && !PRODUCED_FILE.test(path) && !parts.some((part) => PRODUCED_FOLDERS.has(part));
}
