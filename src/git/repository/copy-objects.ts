import { deflateSync } from "node:zlib";
import type { Files } from "../../base/ports/files.ts";
import type { Oid } from "../../base/oid.ts";
import type { GitDirectory } from "../command/git-directory.ts";
import { commitIn, readHistory } from "../command/read-commit.ts";
import {
  entriesOfTree,
  type GitObject,
  objectPath,
  readObject,
  type GitTreeEntry,
} from "../command/read-object.ts";

/** git fetches more objects in about the same time, into a single file. */
const OBJECTS_MAX = 100;
const OBJECT_BYTES_MAX = 4 * 1024 * 1024;
const ALL_BYTES_MAX = 16 * 1024 * 1024;

const FOLDER_MODE = "40000";
const SUBMODULE_MODE = "160000";

/** The repository that has the commits, and the one that lacks them. */
export interface CopyPlaces {
  readonly from: GitDirectory;
  readonly to: GitDirectory;
}

/**
 * Copies a few new commits to another repository, with all that they contain, instead of a fetch, which starts six
 * processes. The other repository must have the commit before them whole. False if only git can do it: if the history
 * between the two is not one short line, or anything new in it is packed or large.
 *
 * Each object is checked by the hash that names it, and written after all that it names. So whatever is interrupted, a
 * commit that is there has its content, as with git. No reference is changed.
 */
export function copyCommits(
  files: Files,
  { from, to }: CopyPlaces,
  range: { readonly from: Oid; readonly to: Oid },
): boolean {
  const objects = newObjects(files, from, range);
  if (objects === undefined) return false;
  return [...objects].every(([oid, { bytes }]) => {
    const created = files.createCopy(objectPath(to, oid), deflateSync(bytes, { level: 1 }));
    return created.ok || created.failure.errno === "EEXIST";
  });
}

/**
 * What a few commits add to the one before them, each object after those that it names, and each checked by the hash
 * that names it. Undefined if only git can tell.
 */
export function newObjects(
  files: Files,
  at: GitDirectory,
  range: { readonly from: Oid; readonly to: Oid },
): ReadonlyMap<Oid, GitObject> | undefined {
  const commits = readHistory(files, at, range);
  if (commits === undefined) return undefined;
  const found = new NewObjects(files, at);
  let before = range.from;
  for (const commit of commits) {
    if (!found.addCommit(commit, before)) return undefined;
    before = commit;
  }
  return found.objects;
}

/** Collects the objects that commits add to those before them. */
class NewObjects {
  /** Each comes after those that it names. */
  readonly objects = new Map<Oid, GitObject>();
  readonly #files: Files;
  readonly #place: GitDirectory;
  #reads = 0;
  #bytes = 0;

  constructor(files: Files, place: GitDirectory) {
    this.#files = files;
    this.#place = place;
  }

  /** Adds a commit whose parent the other repository has; false if that is not possible. */
  addCommit(oid: Oid, parent: Oid): boolean {
    const commit = this.#read(oid, "commit");
    const before = this.#read(parent, "commit");
    if (commit === undefined || before === undefined) return false;
    const [tree, treeBefore] = [commitIn(commit)?.tree, commitIn(before)?.tree];
    if (tree === undefined || treeBefore === undefined) return false;
    return this.#addTree(tree, treeBefore) && this.#add(oid, commit);
  }

  #addTree(oid: Oid, before: Oid | undefined): boolean {
    if (oid === before || this.objects.has(oid)) return true;
    const tree = this.#read(oid, "tree");
    const entries = tree && entriesOfTree(tree.content, oid);
    const known = before === undefined ? [] : this.#entriesOf(before);
    if (tree === undefined || entries === undefined || known === undefined) return false;
    const byName = new Map(known.map((entry) => [entry.name, entry]));
    return (
      entries.every((entry) => this.#addEntry(entry, byName.get(entry.name))) &&
      this.#add(oid, tree)
    );
  }

  #addEntry({ mode, oid }: GitTreeEntry, before: GitTreeEntry | undefined): boolean {
    // A submodule names a commit of another repository.
    if (mode === SUBMODULE_MODE || (before?.oid === oid && before.mode === mode)) return true;
    if (mode === FOLDER_MODE) {
      return this.#addTree(oid, before?.mode === FOLDER_MODE ? before.oid : undefined);
    }
    if (this.objects.has(oid)) return true;
    const blob = this.#read(oid, "blob");
    return blob !== undefined && this.#add(oid, blob);
  }

  #entriesOf(oid: Oid): readonly GitTreeEntry[] | undefined {
    const tree = this.#read(oid, "tree");
    return tree && entriesOfTree(tree.content, oid);
  }

  #read(oid: Oid, kind: string): GitObject | undefined {
    // What is read for comparison counts, too: it also takes time.
    this.#reads += 1;
    if (this.#reads > 2 * OBJECTS_MAX) return undefined;
    const object = readObject(this.#files, this.#place, { oid, bytesMax: OBJECT_BYTES_MAX });
    return object?.kind === kind ? object : undefined;
  }

  #add(oid: Oid, object: GitObject): boolean {
    this.#bytes += object.bytes.length;
    if (this.objects.size >= OBJECTS_MAX || this.#bytes > ALL_BYTES_MAX) return false;
    this.objects.set(oid, object);
    return true;
  }
}
