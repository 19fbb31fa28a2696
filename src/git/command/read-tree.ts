import type { Files } from "../../base/ports/files.ts";
import type { Oid } from "../../base/oid.ts";
import type { ChangedPath, CommittedFile } from "../../base/ports/repo.ts";
import type { GitDirectory } from "./git-directory.ts";
import { decodedText } from "./raw-output.ts";
import { readCommit } from "./read-commit.ts";
import { entriesOfTree, readObject, type GitTreeEntry } from "./read-object.ts";

/** git lists more folders, and more files, about as fast. */
const TREES_MAX = 300;
const FILES_MAX = 2_000;
const TREE_BYTES_MAX = 1024 * 1024;

const FOLDER_MODE = "40000";

/** Thrown inside this file only, where one of many steps finds that git has to be asked. */
class AskGit extends Error {}

/**
 * Reads the trees of commits from the files of their objects. Each function gives undefined where only git can tell:
 * if a tree is packed, or there is too much to read.
 */
export class TreeReader {
  readonly #files: Files;
  readonly #place: GitDirectory;
  #trees = 0;
  #found = 0;

  constructor(files: Files, place: GitDirectory) {
    this.#files = files;
    this.#place = place;
  }

  /** All files of a commit, in git's order. */
  filesAt(commit: Oid): readonly CommittedFile[] | undefined {
    return attempted(() =>
      sorted([...this.#below(this.#entriesAt(commit), "")]).map(([path, { mode, oid }]) => {
        return { path: decodedText(path), mode: modeOf(mode), oid };
      }),
    );
  }

  /** The entry at a path of a commit; `absent` if there is none. */
  entryAt(commit: Oid, path: string): GitTreeEntry | "absent" | undefined {
    return attempted(() => {
      const names = Buffer.from(path).toString("latin1").split("/");
      let entries = this.#entriesAt(commit);
      for (const [index, name] of names.entries()) {
        const entry = entries.find((each) => each.name === name);
        if (entry === undefined) return "absent";
        if (index === names.length - 1) return entry;
        if (entry.mode !== FOLDER_MODE) return "absent";
        entries = this.#entriesOf(entry.oid);
      }
      return "absent";
    });
  }

  /** What changed between two commits; also undefined if git would look for renames. */
  changes(start: Oid, end: Oid): readonly ChangedPath[] | undefined {
    return attempted(() => {
      const found = [...this.#between(this.#entriesAt(start), this.#entriesAt(end), "")];
      const kinds = new Set(found.map(([, status]) => status));
      if (kinds.has("added") && kinds.has("deleted")) throw new AskGit();
      return sorted(found).map(([path, status]) => ({ status, path: decodedText(path) }));
    });
  }

  *#below(
    entries: readonly GitTreeEntry[],
    prefix: string,
  ): Iterable<readonly [string, GitTreeEntry]> {
    for (const entry of entries) {
      const path = `${prefix}${entry.name}`;
      if (entry.mode === FOLDER_MODE) yield* this.#below(this.#entriesOf(entry.oid), `${path}/`);
      else yield this.#counted([path, entry]);
    }
  }

  *#between(
    before: readonly GitTreeEntry[],
    after: readonly GitTreeEntry[],
    prefix: string,
  ): Iterable<readonly [string, ChangedPath["status"]]> {
    const old = new Map(before.map((entry) => [entry.name, entry]));
    const now = new Map(after.map((entry) => [entry.name, entry]));
    for (const name of new Set([...old.keys(), ...now.keys()])) {
      yield* this.#ofEntry(old.get(name), now.get(name), `${prefix}${name}`);
    }
  }

  *#ofEntry(
    before: GitTreeEntry | undefined,
    after: GitTreeEntry | undefined,
    path: string,
  ): Iterable<readonly [string, ChangedPath["status"]]> {
    if (before?.oid === after?.oid && modeOf(before?.mode) === modeOf(after?.mode)) return;
    const [old, now] = [kindOf(before), kindOf(after)];
    if (old === "folder" || now === "folder") {
      const inside = (entry: GitTreeEntry | undefined) =>
        entry?.mode === FOLDER_MODE ? this.#entriesOf(entry.oid) : [];
      yield* this.#between(inside(before), inside(after), `${path}/`);
    }
    const isFile = now !== undefined && now !== "folder";
    const wasFile = old !== undefined && old !== "folder";
    if (isFile && wasFile) yield this.#counted([path, old === now ? "modified" : "other"]);
    else if (isFile) yield this.#counted([path, "added"]);
    else if (wasFile) yield this.#counted([path, "deleted"]);
  }

  #entriesAt(commit: Oid): readonly GitTreeEntry[] {
    const tree = readCommit(this.#files, this.#place, commit)?.tree;
    if (tree === undefined) throw new AskGit();
    return this.#entriesOf(tree);
  }

  #entriesOf(oid: Oid): readonly GitTreeEntry[] {
    this.#trees += 1;
    if (this.#trees > TREES_MAX) throw new AskGit();
    const bounds = { oid, bytesMax: TREE_BYTES_MAX };
    const object = readObject(this.#files, this.#place, bounds);
    const entries = object?.kind === "tree" ? entriesOfTree(object.content, oid) : undefined;
    if (entries === undefined) throw new AskGit();
    return entries;
  }

  #counted<T>(found: T): T {
    this.#found += 1;
    if (this.#found > FILES_MAX) throw new AskGit();
    return found;
  }
}

function attempted<T>(read: () => T): T | undefined {
  try {
    return read();
  } catch (error) {
    if (error instanceof AskGit) return undefined;
    throw error;
  }
}

/** git sorts whole paths by their bytes, which are single characters here. */
function sorted<T>(found: readonly (readonly [string, T])[]): readonly (readonly [string, T])[] {
  return [...found].sort(([one], [other]) => (one < other ? -1 : 1));
}

/** git reads no other rights of a file than whether its owner may execute it. */
function modeOf(mode: string | undefined): string {
  if (mode?.startsWith("100") !== true) return mode ?? "";
  return (Number.parseInt(mode, 8) & 0o100) === 0 ? "100644" : "100755";
}

type EntryKind = "folder" | "file" | "link" | "submodule";

function kindOf(entry: GitTreeEntry | undefined): EntryKind | undefined {
  if (entry === undefined) return undefined;
  if (entry.mode === FOLDER_MODE) return "folder";
  if (entry.mode === "120000") return "link";
  return entry.mode === "160000" ? "submodule" : "file";
}
