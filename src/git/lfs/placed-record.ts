import { createHash } from "node:crypto";
import { join, posix } from "node:path";
import { z } from "zod";
import { lateObject } from "../../base/late-object.ts";
import type { FileFailure, FileStat } from "../../base/ports/files.ts";
import { ok, type Result } from "../../base/result.ts";
import type { GitContext } from "../command/git-environment.ts";
import { LFS_RECORD_BYTES_MAX } from "./lfs-limits.ts";

/*
 * Which files of a work tree have their content instead of the pointer that the commit has: `<clone>.contents`, beside
 * the clone, where nothing that runs in it can write. A file is believed to have it as long as it is the same one and
 * was not changed in any way, which no program can hide.
 */

const PlacedFile = lateObject(() => ({
  path: z.string().min(1),
  /** The file of the commit, which is the pointer. */
  blob: z.string().min(1),
  sha256: z.string().min(1),
  sizeBytes: z.number(),
  inode: z.number(),
  changedMs: z.number(),
}));
/** A file that has its content, as it was right after it got it. */
export type PlacedFile = z.infer<typeof PlacedFile>;

const PlacedRecord = lateObject(() => ({
  version: z.literal(1),
  attributes: z.string(),
  files: z.array(PlacedFile),
}));

/** What a work tree was given. */
export interface PlacedContents {
  /** Digest of the attribute files that said which files these are. */
  readonly attributes: string;
  /** By their paths. */
  readonly files: ReadonlyMap<string, PlacedFile>;
}

const NOTHING: PlacedContents = { attributes: "", files: new Map() };

/** The path of the record for the clone in `directory`. */
export function placedRecord(directory: string): string {
  return `${directory}.contents`;
}

/** Reads the record; nothing is known if there is none, or if it cannot be read. */
export function readPlaced(
  { files }: Pick<GitContext, "files">,
  directory: string,
): PlacedContents {
  const read = files.read(placedRecord(directory), LFS_RECORD_BYTES_MAX);
  if (!read.ok || read.value === undefined) return NOTHING;
  try {
    const { data } = PlacedRecord.safeParse(JSON.parse(new TextDecoder().decode(read.value)));
    if (data === undefined) return NOTHING;
    return {
      attributes: data.attributes,
      files: new Map(data.files.map((file) => [file.path, file])),
    };
  } catch {
    return NOTHING;
  }
}

/** Writes the record, over whatever is in its place. */
export function writePlaced(
  { files, directories }: Pick<GitContext, "files" | "directories">,
  directory: string,
  { attributes, files: placed }: PlacedContents,
): Result<void, FileFailure> {
  const text = `${JSON.stringify({ version: 1, attributes, files: [...placed.values()] })}\n`;
  const path = placedRecord(directory);
  const isFolder = directories.kindOf(path) === "directory";
  const removed = isFolder ? directories.removeTree(path) : ok(undefined);
  return removed.ok ? files.replace(path, Buffer.from(text)) : removed;
}

/** Whether a file is still the one that got the content. */
export function isAsPlaced(file: PlacedFile, stat: FileStat | undefined): boolean {
  if (stat === undefined) return false;
  const { sizeBytes, inode, changedMs } = stat;
  return file.inode === inode && file.changedMs === changedMs && file.sizeBytes === sizeBytes;
}

/** Whether files of a work tree, by path and blob, have the content of that blob, a pointer. */
export function contentsAt(
  { files }: Pick<GitContext, "files">,
  directory: string,
  attributes: string,
): (file: { readonly path: string; readonly oid: string }) => boolean {
  const placed = readPlaced({ files }, directory);
  // Others may say that a pointer is a text.
  if (placed.attributes !== attributes) return () => false;
  return ({ path, oid }) => {
    const known = placed.files.get(path);
    return known?.blob === oid && isAsPlaced(known, files.stat(join(directory, path)));
  };
}

/** A digest of the attribute files among these, which are in git's order. */
export function attributesDigest(
  files: readonly { readonly path: string; readonly oid: string }[],
): string {
  const lines = files
    .filter(({ path }) => isAttributeFile(path))
    .map(({ path, oid }) => `${oid} ${path}\0`);
  return createHash("sha256").update(lines.join("")).digest("hex");
}

/** Whether a path is that of attributes. */
export function isAttributeFile(path: string): boolean {
  return posix.basename(path).toLowerCase() === ".gitattributes";
}
