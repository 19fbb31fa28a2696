import { basename, dirname } from "node:path";
import { assert, present } from "../../src/base/assert.ts";
import type { Random } from "../rig/random.ts";

/** A file: its content as processes see it, and how much of it would survive a power cut. Files only grow. */
export interface FileNode {
  readonly kind: "file";
  readonly inode: number;
  bytes: Buffer;
  size: number;
  syncedSize: number;
  /** Grows with each change. */
  changed: number;
}

/** A change of a directory's names: `undefined` removes one. */
type Change = ReadonlyMap<string, Node | undefined>;

export interface DirectoryNode {
  readonly kind: "directory";
  readonly inode: number;
  names: Map<string, Node>;
  /** As of the last fsync of the directory. */
  syncedNames: Map<string, Node>;
  /** Since then, oldest first. */
  pending: Change[];
}

export type Node = FileNode | DirectoryNode;

/** An error of a system call. There are many, so it has no stack, which would be slow. */
export class SystemError extends Error {
  readonly code: string;

  constructor(code: string) {
    const limit = Error.stackTraceLimit;
    Error.stackTraceLimit = 0;
    super(code);
    Error.stackTraceLimit = limit;
    this.code = code;
  }
}

/**
 * A disk that keeps what processes see apart from what would survive a power cut: of each file the
 * bytes up to its last fsync, of each directory the names as of its own last fsync.
 */
export class Disk {
  /** Called with each path that changed. */
  changed: (path: string) => void = () => undefined;
  readonly root: DirectoryNode;
  readonly #names = new Map<string, readonly string[]>();
  #inodes = 0;
  #changes = 0;

  constructor() {
    this.root = this.#directory();
  }

  find(path: string): Node | undefined {
    let node: Node = this.root;
    for (const name of this.#namesIn(path)) {
      if (node.kind !== "directory") return undefined;
      const next = node.names.get(name);
      if (next === undefined) return undefined;
      node = next;
    }
    return node;
  }

  /** A cache, because the same few paths are looked up all the time. */
  #namesIn(path: string): readonly string[] {
    const known = this.#names.get(path);
    if (known !== undefined) return known;
    const names = path.split("/").filter((name) => name !== "");
    this.#names.set(path, names);
    return names;
  }

  /** The directory that holds `path`. */
  parentOf(path: string): DirectoryNode {
    const parent = this.find(dirname(path));
    if (parent === undefined) throw new SystemError("ENOENT");
    if (parent.kind !== "directory") throw new SystemError("ENOTDIR");
    return parent;
  }

  createFile(path: string): FileNode {
    const parent = this.parentOf(path);
    const name = basename(path);
    if (parent.names.has(name)) throw new SystemError("EEXIST");
    const node: FileNode = {
      kind: "file",
      inode: ++this.#inodes,
      bytes: Buffer.alloc(256),
      size: 0,
      syncedSize: 0,
      changed: ++this.#changes,
    };
    this.#change(parent, new Map([[name, node]]));
    this.changed(path);
    return node;
  }

  /** Creates a directory with all its parents; returns the first that had to be created, if any. */
  createDirectories(path: string): string | undefined {
    let node: DirectoryNode = this.root;
    let walked = "";
    let first: string | undefined;
    for (const name of path.split("/").filter((part) => part !== "")) {
      walked += `/${name}`;
      let next = node.names.get(name);
      if (next === undefined) {
        next = this.#directory();
        this.#change(node, new Map([[name, next]]));
        first ??= walked;
      }
      if (next.kind !== "directory") throw new SystemError("ENOTDIR");
      node = next;
    }
    return first;
  }

  append(file: FileNode, bytes: Uint8Array, path: string): void {
    const size = file.size + bytes.length;
    if (size > file.bytes.length) {
      const grown = Buffer.alloc(Math.max(size, file.bytes.length * 2));
      file.bytes.copy(grown, 0, 0, file.size);
      file.bytes = grown;
    }
    file.bytes.set(bytes, file.size);
    file.size = size;
    file.changed = ++this.#changes;
    this.changed(path);
  }

  link(from: string, to: string): void {
    const node = this.#present(from);
    const parent = this.parentOf(to);
    if (parent.names.has(basename(to))) throw new SystemError("EEXIST");
    if (node.kind === "file") node.changed = ++this.#changes;
    this.#change(parent, new Map([[basename(to), node]]));
    this.changed(to);
  }

  /** Within one directory: no other rename is made. */
  rename(from: string, to: string): void {
    const node = this.#present(from);
    const parent = this.parentOf(to);
    assert(parent === this.parentOf(from), "a rename stays in its directory");
    if (node.kind === "file") node.changed = ++this.#changes;
    this.#change(
      parent,
      new Map<string, Node | undefined>([
        [basename(to), node],
        [basename(from), undefined],
      ]),
    );
    this.changed(to);
  }

  unlink(path: string): void {
    const node = this.#present(path);
    if (node.kind === "file") node.changed = ++this.#changes;
    this.#change(this.parentOf(path), new Map([[basename(path), undefined]]));
    this.changed(path);
  }

  sync(node: Node): void {
    if (node.kind === "file") {
      node.syncedSize = node.size;
      return;
    }
    node.syncedNames = new Map(node.names);
    node.pending = [];
  }

  /** As after a long time, in which everything was written. */
  syncAll(): void {
    const seen = [this.root];
    for (const directory of seen) {
      for (const node of directory.names.values()) {
        if (node.kind === "directory") seen.push(node);
        else this.sync(node);
      }
      this.sync(directory);
    }
  }

  /** Replaces a file as a program without fsync does. */
  overwrite(path: string, text: string): void {
    const { changed } = this;
    this.changed = () => undefined;
    if (this.parentOf(path).names.has(basename(path))) this.unlink(path);
    this.append(this.createFile(path), Buffer.from(text), path);
    this.changed = changed;
    changed(path);
  }

  textOf(path: string): string | undefined {
    const node = this.find(path);
    if (node?.kind !== "file") return undefined;
    return node.bytes.toString("utf8", 0, node.size);
  }

  /**
   * Cuts the power: of the data that was not synced, only the first changes of each directory and the first bytes of
   * each file survive; or a file keeps its size, with nothing written into it.
   *
   * @returns how many files lost something
   */
  cutPower(random: Random): number {
    return this.#settleDirectory(this.root, random, new Set());
  }

  #settleDirectory(directory: DirectoryNode, random: Random, seen: Set<Node>): number {
    const survivors = directory.pending.slice(0, random.below(directory.pending.length + 1));
    for (const change of survivors) apply(directory.syncedNames, change);
    directory.names = new Map(directory.syncedNames);
    directory.pending = [];
    let torn = 0;
    for (const node of directory.names.values()) {
      if (seen.has(node)) continue;
      seen.add(node);
      if (node.kind === "directory") torn += this.#settleDirectory(node, random, seen);
      else if (settleFile(node, random)) torn += 1;
    }
    return torn;
  }

  #present(path: string): Node {
    const node = this.find(path);
    if (node === undefined) throw new SystemError("ENOENT");
    return node;
  }

  #change(directory: DirectoryNode, change: Change): void {
    apply(directory.names, change);
    directory.pending.push(change);
  }

  #directory(): DirectoryNode {
    return {
      kind: "directory",
      inode: ++this.#inodes,
      names: new Map(),
      syncedNames: new Map(),
      pending: [],
    };
  }
}

function apply(names: Map<string, Node>, change: Change): void {
  for (const [name, node] of change) {
    if (node === undefined) names.delete(name);
    else names.set(name, node);
  }
}

/** Returns whether the file lost anything. */
function settleFile(file: FileNode, random: Random): boolean {
  const unsynced = file.size - file.syncedSize;
  if (unsynced === 0) return false;
  const kept = random.below(unsynced + 1);
  const written = random.chance(0.3) ? random.below(kept + 1) : kept;
  file.bytes.fill(0, file.syncedSize + written);
  file.size = file.syncedSize + kept;
  file.syncedSize = file.size;
  return written < unsynced;
}

/** The node behind an open file. */
export function fileNode(node: Node | undefined): FileNode {
  const found = present(node, "an open file has a node");
  if (found.kind !== "file") throw new SystemError("EISDIR");
  return found;
}
