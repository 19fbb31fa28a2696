import { basename, join } from "node:path";
import { HOME_FILE_NAMES, homeFile } from "./catalogue.ts";
import { DOCUMENT_BYTES_MAX } from "../../base/limits.ts";
import type { Files } from "../../base/ports/files.ts";
import type { Home } from "./home.ts";
import { newTicks } from "../tasks/tasks-ticks.ts";

/** The maximum number of copies of one file; once there are so many, the last is the newest. */
export const EDIT_COPIES_MAX = 8;
/**
 * A longer copy is not inspected. Of a longer file that cannot be linked, only this much is copied,
 * from the first difference on.
 */
export const EDIT_BYTES_MAX = DOCUMENT_BYTES_MAX;

/** Longer pieces are not searched for: with many similar lines that could take very long. */
const PIECE_BYTES_MAX = 8 * 1024;

/** All staged plans share one name: there may be many, and each could be altered. */
const ANY_PLAN = "plan.md";
const PLAN_NAME = /^[0-9a-f]{64}\.md$/u;

/** What somebody else wrote to a file of the home that was then restored. */
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
  /** What the file contained. */
  readonly found: Uint8Array;
  /** What wisp had written there; undefined if there should be no such file. */
  readonly own: Uint8Array | undefined;
}

/** Whether the found content includes anything that wisp did not write. */
export function isWorthKeeping(home: Home, path: string, edit: Edit): boolean {
  const { found, own } = edit;
  if (found.length === 0 || hasNothingNew(home, path, edit)) return false;
  // A file that is merely shorter holds nothing new, but in a document a person may have meant to
  // remove something.
  const isDocument = [home.tasks, home.request, home.stuckHint].includes(path);
  return isDocument || own === undefined || !isPieceOf(own, found);
}

/**
 * Whether wisp's content contains the found content: a truncated file, or text that was appended
 * after everything before it had been removed.
 */
function isPieceOf(own: Uint8Array, found: Uint8Array): boolean {
  if (commonLength(found, own) === found.length) return true;
  return found.length <= PIECE_BYTES_MAX && Buffer.from(own).includes(Buffer.from(found));
}

/**
 * Whether a file holds all that wisp wrote and nothing else but ticks: nobody is still writing the
 * rest of an edit.
 */
export function hasNothingNew(home: Home, path: string, { found, own }: Edit): boolean {
  if (own === undefined) return false;
  if (Buffer.compare(found, own) === 0) return true;
  return path === home.tasks && !newTicks(decoded(own), decoded(found)).altered;
}

/**
 * What to copy of a file that cannot be linked: all of it, or what follows the first difference.
 */
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

/** Size limit for files of the home that copies are compared with. */
const OWN_BYTES_MAX = 64 * 1024 * 1024;

type ReadFiles = Pick<Files, "list" | "read">;

/**
 * The copies that contain something that wisp did not write, by file, each text once. Copies are
 * read now rather than when they were made: a program that has one open may still be writing, and a
 * file that was emptied and restored may receive its new content later.
 */
export function editCopies(files: ReadFiles, home: Home): readonly EditCopy[] {
  const all = allEditCopies(files, home);
  return [...new Set(all.map(({ file }) => file))].flatMap((file) => {
    const copies = all.filter((copy) => copy.file === file);
    return namedCopies(files, home, { file, copies });
  });
}

/** All existing copies, by file; names that wisp does not use are ignored. */
export function allEditCopies(files: ReadFiles, home: Home): readonly EditCopy[] {
  const listed = files.list(home.edits);
  const names = new Set(listed.ok ? listed.value : []);
  return restorableFiles(home).flatMap((path) =>
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
  const paths =
    file === ANY_PLAN ? planPaths(files, home) : restorableFiles(home).filter(isNamed(file));
  const own = paths.map((path) => ({ path, own: textOf(files, path, OWN_BYTES_MAX) }));
  const texts = new Set<string>();
  return copies.filter((copy) => {
    const found = textOf(files, copy.path, EDIT_BYTES_MAX);
    // What is too long or cannot be read is listed without being inspected.
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

/**
 * Files whose correct content wisp knows; those that a person is most likely to have edited on
 * purpose come first.
 */
function restorableFiles(home: Home): readonly string[] {
  const known = HOME_FILE_NAMES.filter((name) => homeFile(name).kind !== "notes");
  const documents = known.indexOf("humanLog");
  const paths = known.map((name) => home[name]);
  return [...paths.slice(0, documents), join(home.plans, ANY_PLAN), ...paths.slice(documents)];
}
