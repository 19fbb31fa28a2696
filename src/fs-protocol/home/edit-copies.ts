import { basename, join } from "node:path";
import { HOME_FILE_NAMES, homeFile } from "./catalogue.ts";
import { DOCUMENT_BYTES_MAX } from "../../base/limits.ts";
import type { Files } from "../../base/ports/files.ts";
import type { Home } from "./home.ts";
import { newTicks } from "../tasks/tasks-ticks.ts";

/** Copies of one file; where there are so many, the last is the newest. */
export const EDIT_COPIES_MAX = 8;
/** A longer copy is not looked into; of a longer file that cannot be linked what differs is copied, from there on. */
export const EDIT_BYTES_MAX = DOCUMENT_BYTES_MAX;

/** A longer piece is not searched for: with many lines alike that could take for ever. */
const PIECE_BYTES_MAX = 8 * 1024;

/** All staged plans share one name: there may be many, and each could be altered. */
const ANY_PLAN = "plan.md";
const PLAN_NAME = /^[0-9a-f]{64}\.md$/u;

/** What somebody else wrote into a file of the home, which was put back as it has to be. */
export interface EditCopy {
  /** Name of the file, without its folder. */
  readonly file: string;
  /** Path of the copy. */
  readonly path: string;
}

/** Path of the n-th copy of a file, counted from 1. */
export function editCopyPath(home: Home, path: string, n: number): string {
  const name = basename(path);
  const file = PLAN_NAME.test(name) ? ANY_PLAN : name;
  return join(home.edits, `${file}.${String(n)}`);
}

interface Edit {
  /** What was found. */
  readonly found: Uint8Array;
  /** What wisp wrote there; undefined: there was to be no such file. */
  readonly own: Uint8Array | undefined;
}

/** Whether something in what was found is of somebody else. */
export function isWorthKeeping(home: Home, path: string, edit: Edit): boolean {
  const { found, own } = edit;
  if (found.length === 0 || saysNothingNew(home, path, edit)) return false;
  // What is only shorter has no word of anybody's, but where a person may have meant to take one out.
  const isDocument = [home.tasks, home.request, home.stuckHint].includes(path);
  return isDocument || own === undefined || !isPieceOf(own, found);
}

/** What was cut; or what was appended after all before it was taken away. */
function isPieceOf(own: Uint8Array, found: Uint8Array): boolean {
  if (commonLength(found, own) === found.length) return true;
  return found.length <= PIECE_BYTES_MAX && Buffer.from(own).includes(Buffer.from(found));
}

/** Whether a file holds all that wisp wrote, and nothing else but ticks: nobody is about to write the rest of it. */
export function saysNothingNew(home: Home, path: string, { found, own }: Edit): boolean {
  if (own === undefined) return false;
  if (Buffer.compare(found, own) === 0) return true;
  return path === home.tasks && !newTicks(decoded(own), decoded(found)).altered;
}

/** What is copied of a file that cannot be linked: all of it, or what follows the first difference. */
export function bytesToCopy(found: Uint8Array, own: Uint8Array | undefined): Uint8Array {
  if (found.length <= EDIT_BYTES_MAX) return found;
  const same = commonLength(found, own ?? new Uint8Array());
  return found.subarray(same, same + EDIT_BYTES_MAX);
}

function commonLength(one: Uint8Array, other: Uint8Array): number {
  const most = Math.min(one.length, other.length);
  if (Buffer.compare(one.subarray(0, most), other.subarray(0, most)) === 0) return most;
  return one.findIndex((byte, index) => byte !== other[index]);
}

function decoded(bytes: Uint8Array): string {
  return new TextDecoder().decode(bytes);
}

/** Of a file of the home that copies are compared with. */
const OWN_BYTES_MAX = 64 * 1024 * 1024;

type ReadFiles = Pick<Files, "list" | "read">;

/**
 * The copies in which something of somebody else is, by file, each text once. A copy is looked at as it is now: a
 * program that has it open may still be writing, and of one that was emptied and put back nothing may have come yet.
 */
export function editCopies(files: ReadFiles, home: Home): readonly EditCopy[] {
  const all = allEditCopies(files, home);
  return [...new Set(all.map(({ file }) => file))].flatMap((file) => {
    const copies = all.filter((copy) => copy.file === file);
    return namedCopies(files, home, { file, copies });
  });
}

/** All copies that there are, by file; names that wisp does not give are passed over. */
export function allEditCopies(files: ReadFiles, home: Home): readonly EditCopy[] {
  const listed = files.list(home.edits);
  const names = new Set(listed.ok ? listed.value : []);
  return keptFiles(home).flatMap((path) =>
    Array.from({ length: EDIT_COPIES_MAX }, (_, index) => editCopyPath(home, path, index + 1))
      .filter((copy) => names.has(basename(copy)))
      .map((copy) => ({ file: basename(path), path: copy })),
  );
}

function namedCopies(
  files: ReadFiles,
  home: Home,
  { file, copies }: { readonly file: string; readonly copies: readonly EditCopy[] },
): readonly EditCopy[] {
  const paths = file === ANY_PLAN ? planPaths(files, home) : keptFiles(home).filter(isNamed(file));
  const own = paths.map((path) => ({ path, own: textOf(files, path, OWN_BYTES_MAX) }));
  const texts = new Set<string>();
  return copies.filter((copy) => {
    const found = textOf(files, copy.path, EDIT_BYTES_MAX);
    // What is longer, or cannot be read, is there, and is not looked into.
    if (found === undefined) return true;
    const text = Buffer.from(found).toString("latin1");
    const isNew = own.every((one) => isWorthKeeping(home, one.path, { found, own: one.own }));
    if (found.length === 0 || !isNew || texts.has(text)) return false;
    texts.add(text);
    return true;
  });
}

function isNamed(file: string): (path: string) => boolean {
  return (path) => basename(path) === file;
}

function planPaths(files: ReadFiles, home: Home): readonly string[] {
  const listed = files.list(home.plans);
  return listed.ok ? listed.value.map((name) => join(home.plans, name)) : [];
}

function textOf(files: ReadFiles, path: string, sizeBytesMax: number): Uint8Array | undefined {
  const read = files.read(path, sizeBytesMax);
  return read.ok ? read.value : undefined;
}

/** Files of which wisp knows what has to stand in them: what a person is most likely to have meant comes first. */
function keptFiles(home: Home): readonly string[] {
  const known = HOME_FILE_NAMES.filter((name) => homeFile(name).kind !== "notes");
  const documents = known.indexOf("humanLog");
  const paths = known.map((name) => home[name]);
  return [...paths.slice(0, documents), join(home.plans, ANY_PLAN), ...paths.slice(documents)];
}
