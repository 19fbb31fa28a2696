import { createHash } from "node:crypto";
import { join } from "node:path";
import { inflateSync } from "node:zlib";
import type { Files } from "../../base/ports/files.ts";
import { Oid } from "../../base/oid.ts";
import type { GitDirectory } from "./git-directory.ts";
import { objectFormat } from "./object-ids.ts";

/** What wisp needs to know of a commit; it never changes. */
export interface CommitObject {
  readonly tree: Oid;
  /** None for a first commit, several for a merge. */
  readonly parents: readonly Oid[];
}

/** Far more than a commit with a long message. */
const COMMIT_BYTES_MAX = 1024 * 1024;
/** git lists a longer range about as fast. */
const LINE_COMMITS_MAX = 50;

/**
 * Reads a commit from the file that git makes for each new object (gitformat-loose), which is some
 * 50 times cheaper than running git. Undefined if there is none, because the commit is packed or
 * absent: then only git can tell.
 *
 * The file may have been written by an engine, so it is believed only if its content has the hash
 * that names the commit.
 */
export function readCommit(files: Files, at: GitDirectory, oid: Oid): CommitObject | undefined {
  const own = bytesIn(files, join(at.commonDirectory, "objects"), oid);
  const { borrowed } = at;
  const bytes = own ?? (borrowed === undefined ? undefined : bytesIn(files, borrowed, oid));
  if (bytes === undefined) return undefined;
  const text = bytes.toString("latin1");
  const header = /^commit \d+\0tree ([0-9a-f]+)\n((?:parent [0-9a-f]+\n)*)/u.exec(text);
  if (header === null) return undefined;
  const parents = (header[2] ?? "").split("\n").slice(0, -1);
  const named = [header[1], ...parents.map((line) => line.slice("parent ".length))];
  const oids = named.map((name) => Oid.safeParse(name));
  if (!oids.every((one) => one.success)) return undefined;
  const [tree, ...rest] = oids.map(({ data }) => data);
  return tree === undefined ? undefined : { tree, parents: rest };
}

function bytesIn(files: Files, objects: string, oid: Oid): Buffer | undefined {
  const packed = files.read(join(objects, oid.slice(0, 2), oid.slice(2)), COMMIT_BYTES_MAX);
  if (!packed.ok || packed.value === undefined) return undefined;
  const bytes = inflated(packed.value);
  return bytes !== undefined && hashOf(bytes, oid) === oid ? bytes : undefined;
}

/**
 * The commits of `from..to`, oldest first, read from their files; undefined if only git can tell:
 * if the history between the two is not one line, is long, or is packed.
 */
export function readHistory(
  files: Files,
  place: GitDirectory,
  { from, to }: { readonly from: Oid; readonly to: Oid },
): readonly Oid[] | undefined {
  const commits: Oid[] = [];
  let at = to;
  while (at !== from && commits.length < LINE_COMMITS_MAX) {
    const [parent, ...others] = readCommit(files, place, at)?.parents ?? [];
    if (parent === undefined || others.length > 0) return undefined;
    commits.push(at);
    at = parent;
  }
  return at === from ? commits.reverse() : undefined;
}

function inflated(bytes: Uint8Array): Buffer | undefined {
  try {
    return inflateSync(bytes, { maxOutputLength: COMMIT_BYTES_MAX });
  } catch {
    return undefined;
  }
}

function hashOf(bytes: Buffer, oid: Oid): string {
  return createHash(objectFormat(oid)).update(bytes).digest("hex");
}
