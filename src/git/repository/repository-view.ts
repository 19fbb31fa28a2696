import { createHash } from "node:crypto";
import { join } from "node:path";
import type { Files } from "../../base/ports/files.ts";
import type { GitDirectory } from "../command/git-directory.ts";
import { indexDigest } from "./index-file.ts";

/** The maximum number of references, and of files below `hooks`; a repository with more is not compared at all. */
const ENTRIES_MAX = 100_000;
const FILE_BYTES_MAX = 256 * 1024 * 1024;
/** The maximum depth of nested folders of references. */
const DEPTH_MAX = 32;

/** The parts of a repository that a turn could change but must not. */
export interface RepositoryView {
  /** By full name, `HEAD` included; the value is what git wrote: an object id or `ref: …`. */
  readonly refs: ReadonlyMap<string, string>;
  /** Digests by path below the git directory; for an unreadable file, the error's name instead. */
  readonly files: ReadonlyMap<string, string>;
}

interface Seen {
  readonly stamp: string;
  readonly text: string;
}

/** Files of the common directory that control what git runs, ignores and borrows. */
const COMMON_FILES = ["config", "info/exclude", "info/attributes", "objects/info/alternates"];
/** Files of this work tree. */
const OWN_FILES = ["config.worktree", "index"];

/**
 * Reads a repository through its files alone, without starting a process. Files whose inode, size and change time
 * are the same as at the last read are not read again.
 */
export class RepositoryReader {
  readonly #files: Files;
  readonly #at: GitDirectory;
  #seen = new Map<string, Seen>();
  #packed: { readonly stamp: string; readonly refs: ReadonlyMap<string, string> } | undefined;

  constructor(files: Files, at: GitDirectory) {
    this.#files = files;
    this.#at = at;
  }

  /** The repository's current state; a text with the reason if it cannot be read. */
  read(): RepositoryView | string {
    const { commonDirectory, gitDirectory } = this.#at;
    const tables = join(commonDirectory, "reftable", "tables.list");
    if (this.#files.stat(tables) !== undefined)
      return "its references are kept in tables (reftable)";
    const last = this.#seen;
    const seen = new Map<string, Seen>();
    const text = (path: string, digest: Digest, stamp = this.#stamp(path)): string | undefined => {
      const read = this.#read(path, digest, { stamp, known: last.get(path) });
      if (read !== undefined) seen.set(path, read);
      return read?.text;
    };
    const refs = new Map(this.#packedRefs());
    const head = text(join(gitDirectory, "HEAD"), asText);
    if (head !== undefined) refs.set("HEAD", head);
    const files = new Map<string, string>();
    const isWhole =
      this.#walk("refs", 0, (name, stamp) => {
        const value = text(`${commonDirectory}/${name}`, asText, stamp);
        if (value !== undefined) refs.set(name, value);
        return refs.size < ENTRIES_MAX;
      }) &&
      this.#walk("hooks", 0, (name, stamp) => {
        const value = text(`${commonDirectory}/${name}`, sha256, stamp);
        if (value !== undefined) files.set(name, value);
        return files.size < ENTRIES_MAX;
      });
    if (!isWhole) return `it has more than ${String(ENTRIES_MAX)} references`;
    for (const name of COMMON_FILES) set(files, name, text(join(commonDirectory, name), sha256));
    for (const name of OWN_FILES) {
      set(files, name, text(join(gitDirectory, name), name === "index" ? indexDigest : sha256));
    }
    this.#seen = seen;
    return { refs, files };
  }

  /**
   * Calls `take` for each file below a folder, with its path below the common directory, until it returns false.
   */
  #walk(folder: string, depth: number, take: Take): boolean {
    const listed = this.#files.list(join(this.#at.commonDirectory, folder));
    if (!listed.ok) return true;
    for (const name of listed.value) {
      const path = `${folder}/${name}`;
      const whole = `${this.#at.commonDirectory}/${path}`;
      const stamp = this.#stamp(whole);
      const isFolder = this.#seen.get(whole)?.stamp !== stamp && this.#isFolder(whole);
      const goesOn = isFolder
        ? depth >= DEPTH_MAX || this.#walk(path, depth + 1, take)
        : take(path, stamp);
      if (!goesOn) return false;
    }
    return true;
  }

  #isFolder(path: string): boolean {
    const read = this.#files.readChunk(path, 0, 0);
    return !read.ok && read.failure.errno === "EISDIR";
  }

  #read(
    path: string,
    digest: Digest,
    { stamp, known }: { readonly stamp: string | undefined; readonly known: Seen | undefined },
  ): Seen | undefined {
    if (stamp === undefined) return undefined;
    if (known?.stamp === stamp) return known;
    const read = this.#files.read(path, FILE_BYTES_MAX);
    if (!read.ok) return { stamp, text: read.failure.errno };
    return read.value && { stamp, text: digest(read.value) };
  }

  #stamp(path: string): string | undefined {
    const stat = this.#files.stat(path);
    return stat && `${String(stat.inode)} ${String(stat.sizeBytes)} ${String(stat.changedMs)}`;
  }

  #packedRefs(): ReadonlyMap<string, string> {
    const path = join(this.#at.commonDirectory, "packed-refs");
    const stamp = this.#stamp(path) ?? "";
    if (this.#packed?.stamp === stamp) return this.#packed.refs;
    const read = this.#files.read(path, FILE_BYTES_MAX);
    const text = read.ok ? Buffer.from(read.value ?? []).toString("utf8") : "";
    const lines = text.split("\n").map((line) => /^([0-9a-f]{40,64}) (\S.*)$/u.exec(line));
    const refs = new Map(lines.flatMap((line) => (line ? [[line[2] ?? "", line[1] ?? ""]] : [])));
    this.#packed = { stamp, refs };
    return refs;
  }
}

/** Receives a file by its path below the common directory; returns whether to continue. */
type Take = (name: string, stamp: string | undefined) => boolean;

type Digest = (bytes: Uint8Array) => string;

function asText(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString("utf8").trimEnd().slice(0, 300);
}

function sha256(bytes: Uint8Array): string {
  return createHash("sha256").update(bytes).digest("hex");
}

function set(files: Map<string, string>, name: string, value: string | undefined): void {
  if (value !== undefined) files.set(name, value);
}

/** One difference between two states of a repository. */
export interface RepositoryChange {
  /** The full name of a reference, or a path below the git directory. */
  readonly place: string;
  readonly how: "added" | "changed" | "removed";
  /** For references: the values before and now. */
  readonly was?: string | undefined;
  readonly now?: string | undefined;
}

/** All differences, references first, each kind sorted by name; `isLeftOut` selects references to ignore. */
export function repositoryChanges(
  before: RepositoryView,
  after: RepositoryView,
  isLeftOut: (ref: string) => boolean,
): readonly RepositoryChange[] {
  const refs = changesOf(before.refs, after.refs).filter(({ place }) => !isLeftOut(place));
  const files = changesOf(before.files, after.files);
  // A digest means nothing to a person.
  return [...refs, ...files.map(({ place, how }) => ({ place, how }))];
}

function changesOf(
  before: ReadonlyMap<string, string>,
  after: ReadonlyMap<string, string>,
): readonly RepositoryChange[] {
  const gone = [...before.keys()].filter((place) => !after.has(place));
  const changed = [...after].flatMap(([place, now]): readonly RepositoryChange[] => {
    const was = before.get(place);
    if (was === now) return [];
    return [{ place, how: was === undefined ? "added" : "changed", was, now }];
  });
  const removed = gone.map((place) => ({ place, how: "removed" as const, was: before.get(place) }));
  return [...changed, ...removed].sort((one, other) => (one.place < other.place ? -1 : 1));
}
