import { createHash } from "node:crypto";
import { join } from "node:path";
import { inflateSync } from "node:zlib";
import type { Files } from "../../base/ports/files.ts";
import { Oid } from "../../base/oid.ts";
import type { GitDirectory } from "./git-directory.ts";
import { objectFormat } from "./object-ids.ts";

/** An object of a repository. */
export interface GitObject {
  readonly kind: string;
  /** Without the header. */
  readonly content: Buffer;
  /** The header and the content, from which the object's name is computed. */
  readonly bytes: Buffer;
}

/**
 * Reads an object from the file that git makes for each new one (gitformat-loose), which is some 50 times cheaper than
 * running git. Undefined if there is none, because the object is packed or absent: then only git can tell.
 *
 * The file may have been written by an engine, so it is believed only if its content has the hash that names the
 * object.
 *
 * @param bytesMax the length of the longest object that is read
 */
export function readObject(
  files: Files,
  at: GitDirectory,
  { oid, bytesMax }: { readonly oid: Oid; readonly bytesMax: number },
): GitObject | undefined {
  const own = bytesIn(files, objectPath(at, oid), { oid, bytesMax });
  const { borrowed } = at;
  const bytes =
    own ??
    (borrowed === undefined
      ? undefined
      : bytesIn(files, fileBelow(borrowed, oid), { oid, bytesMax }));
  if (bytes === undefined) return undefined;
  const end = bytes.indexOf(0);
  const kind = /^([a-z]+) \d+$/u.exec(bytes.toString("latin1", 0, Math.max(end, 0)))?.[1];
  return kind === undefined ? undefined : { kind, content: bytes.subarray(end + 1), bytes };
}

/** The file of an object that is not packed. */
export function objectPath({ commonDirectory }: GitDirectory, oid: Oid): string {
  return fileBelow(join(commonDirectory, "objects"), oid);
}

function fileBelow(objects: string, oid: Oid): string {
  return join(objects, oid.slice(0, 2), oid.slice(2));
}

function bytesIn(
  files: Files,
  path: string,
  { oid, bytesMax }: { readonly oid: Oid; readonly bytesMax: number },
): Buffer | undefined {
  const packed = files.read(path, bytesMax);
  if (!packed.ok || packed.value === undefined) return undefined;
  const bytes = inflated(packed.value, bytesMax);
  return bytes !== undefined && hashOf(bytes, oid) === oid ? bytes : undefined;
}

/** One entry of a tree object. */
export interface GitTreeEntry {
  /** As git writes it: `40000` for a folder, `160000` for a submodule. */
  readonly mode: string;
  /** As bytes with one character each. */
  readonly name: string;
  readonly oid: Oid;
}

/** The entries of a tree object, whose own name is as long as theirs; undefined if it is malformed. */
export function entriesOfTree(
  content: Buffer,
  { length }: Oid,
): readonly GitTreeEntry[] | undefined {
  const entries: GitTreeEntry[] = [];
  for (let at = 0; at < content.length;) {
    const end = content.indexOf(0, at);
    const next = end + 1 + length / 2;
    const [, mode, name] = /^([0-7]+) (.+)$/su.exec(content.toString("latin1", at, end)) ?? [];
    const oid = Oid.safeParse(content.toString("hex", end + 1, next));
    if (end < 0 || mode === undefined || name === undefined || !oid.success) return undefined;
    entries.push({ mode, name, oid: oid.data });
    at = next;
  }
  return entries;
}

function inflated(bytes: Uint8Array, bytesMax: number): Buffer | undefined {
  try {
    return inflateSync(bytes, { maxOutputLength: bytesMax });
  } catch {
    return undefined;
  }
}

function hashOf(bytes: Buffer, oid: Oid): string {
  return createHash(objectFormat(oid)).update(bytes).digest("hex");
}
