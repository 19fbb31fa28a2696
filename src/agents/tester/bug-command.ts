import { basename } from "node:path";
import { pathToFileURL } from "node:url";
import { fail, ok, type Result } from "../../base/result.ts";
import { commandKey } from "../../evidence/verify/command-key.ts";
import { splitCommand, type CommandWords, type NoCommand } from "./command-line.ts";
import type { CommandPlaces, PathPlace } from "./command-places.ts";
import { rootIn } from "./named-folders.ts";
import { pathsInWord, type PathInWord, type Reading } from "./paths-in-word.ts";
import { readingsOf, ASKS_FOR_PATHS } from "./word-readings.ts";

/** A path of the project in a word: below the root of whichever tree is judged. */
interface InTree {
  /** "" for the root itself; otherwise it begins with a slash. */
  readonly rest: string;
  readonly isUrl: boolean;
}

/** A word: its text, with the paths of the project taken out. */
type Word = readonly (string | InTree)[];

/**
 * A command that shows a bug, for any tree: every absolute path into the project, whichever clone, tree or checkout
 * it was written for, stands for the same path of the tree in which the command is run.
 */
export interface BugCommand {
  /** As it was reported. */
  readonly words: CommandWords;
  /** The key of its results; results of a command with such paths from before these were replaced do not count. */
  readonly key: string;
  /** The words to run in a tree. */
  readonly within: (tree: string) => CommandWords;
  /** The words with paths relative to the root of the tree. */
  readonly relative: CommandWords;
}

/**
 * Reads the line that a bug's report gives as its command. Refused are lines that are no single command, and commands
 * with an absolute path that is not of the project and not of the system, that leads nowhere, or that cannot be
 * replaced safely: run in a tree, such a command would judge something else.
 */
export function readBugCommand(line: string, places: CommandPlaces): Result<BugCommand, NoCommand> {
  const split = splitCommand(line);
  if (!split.ok) return split;
  const words = split.value;
  const isOwn = places.own.some((own) => isSame(own, words));
  const asks = ASKS_FOR_PATHS.has(basename(words[0]));
  const parsed: Word[] = [];
  for (const [index, reading] of readingsOf(words).entries()) {
    const use = { reading, isOwn, asks };
    const word = readWord(words[index] ?? "", use, places);
    if (!word.ok) return word;
    parsed.push(word.value);
  }
  const written = (of: (path: InTree) => string) =>
    inOrder(parsed.map((word) => word.map((part) => (typeof part === "string" ? part : of(part)))));
  return ok({
    words,
    key: commandKey([written(({ rest, isUrl }) => `\0${isUrl ? "url" : ""}${rest}`)]),
    within: (tree) => written((path) => pathIn(tree, path)),
    relative: written(({ rest }) => `.${rest}`),
  });
}

function isSame(one: readonly string[], other: readonly string[]): boolean {
  return one.length === other.length && one.every((word, at) => word === other[at]);
}

function inOrder(words: readonly (readonly string[])[]): CommandWords {
  const [executable = "", ...rest] = words.map((parts) => parts.join(""));
  return [executable, ...rest];
}

function pathIn(tree: string, { rest, isUrl }: InTree): string {
  return isUrl ? pathToFileURL(tree + rest).pathname : tree + rest;
}

interface Use {
  readonly reading: Reading;
  /** Whether a person wrote the command. */
  readonly isOwn: boolean;
  /** Whether the program asks if paths exist. */
  readonly asks: boolean;
}

function readWord(word: string, use: Use, places: CommandPlaces): Result<Word, NoCommand> {
  const parts: (string | InTree)[] = [];
  let end = 0;
  for (const found of pathsInWord(word, use.reading, places)) {
    const place = places.placeOf(found.path);
    const why = use.isOwn ? undefined : whyRefused(found, place, use);
    if (why !== undefined) return refused(why);
    if (place.kind !== "tree") continue;
    const text = word.slice(found.start, found.end);
    if (!found.isWhole && !found.isUrl && !isSafe(text, places)) return refused(unsafe(text));
    parts.push(word.slice(end, found.start), { rest: place.rest, isUrl: found.isUrl });
    end = found.end;
  }
  parts.push(word.slice(end));
  const texts = parts.filter((part) => typeof part === "string");
  const left = texts.flatMap((text) => rootIn(text, places) ?? [])[0];
  return left === undefined ? ok(parts) : refused(unsafe(left));
}

/** Why an absolute path that is not of the project makes the command useless; undefined if it does not. */
function whyRefused(
  { path, isWhole }: PathInWord,
  place: PathPlace,
  { reading, asks }: Use,
): string | undefined {
  if (reading === "pattern" || place.kind === "tree") return undefined;
  if (place.kind === "system") {
    return place.isThere || asks ? undefined : `it names ${path}, which does not exist`;
  }
  // In a script, `/users` may be any text.
  if (!isWhole && !place.isHere) return undefined;
  return (
    `it names ${path}, which is neither in the repository nor a part of the system: ` +
    "leave what it needs among the tests, and write paths relative to the root of the repository"
  );
}

/** Between other text, a tree's path must not bring signs that would need quotes which are not there. */
function isSafe(text: string, { trees }: CommandPlaces): boolean {
  const signs = trees.match(/[^\w./@%+=:,-]/gu) ?? [];
  return signs.every((sign) => text.includes(sign));
}

function unsafe(path: string): string {
  return `it names ${path} in a place where it cannot be replaced by the tree that is judged: write paths relative to the root of the repository`;
}

function refused(reason: string): Result<never, NoCommand> {
  return fail({ kind: "no-command", reason });
}
