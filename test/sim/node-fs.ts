import { constants as nodeConstants } from "node:fs";
import { assert, present } from "../../src/base/assert.ts";
import { Died, type Life } from "./simulator.ts";
import { fileNode, SystemError, type Disk, type Node } from "./disk.ts";

/*
 * Replaces `node:fs` in the simulated bundle, so that the shipped code for files runs, down to each system call. A
 * process may die before or after every call that changes something, and any part of a write's bytes may reach the
 * disk.
 */

export const constants = nodeConstants;

/** What happens at the next system call that changes something. */
export type Misfortune =
  | { readonly kind: "none" }
  | { readonly kind: "die"; readonly when: "before" | "after"; readonly share: number }
  | { readonly kind: "errno"; readonly errno: string }
  /** A write that comes back with less than it was given. */
  | { readonly kind: "short"; readonly share: number };

type Operation = "write" | "fsync" | "create" | "rename" | "link" | "unlink" | "mkdir" | "read";

/** The machine that serves the bundle's calls. */
export interface FileMachine {
  readonly disk: Disk;
  life(): Life | undefined;
  /** Asked before each call. */
  misfortune(operation: Operation, path: string): Misfortune;
  /** Called after each read, with the number of bytes. */
  wasRead(path: string, bytes: number): void;
  /** Ends the process that runs now. */
  kill(operation: Operation, path: string): void;
}

interface Open {
  readonly node: Node;
  readonly path: string;
}

let machine: FileMachine | undefined;
let opened = new Map<number, Open>();
let descriptors = 10;

/** From now on this machine serves all calls. */
export function useMachine(next: FileMachine): void {
  machine = next;
  opened = new Map();
  descriptors = 10;
}

function alive(): FileMachine {
  const at = present(machine, "there is a machine");
  if (at.life()?.isAlive === false) throw new Died("killed");
  return at;
}

/** Makes one call, which may fail: its effect, and `torn`, a partial effect. */
function call<T>(
  operation: Operation,
  path: string,
  act: () => T,
  torn?: (share: number, isKill: boolean) => T,
): T {
  const at = alive();
  const bad = at.misfortune(operation, path);
  switch (bad.kind) {
    case "none":
      return act();
    case "errno":
      throw new SystemError(bad.errno);
    case "short":
      return torn === undefined ? act() : torn(bad.share, false);
    case "die":
      if (bad.when === "after") act();
      else if (torn !== undefined) torn(bad.share, true);
      at.kill(operation, path);
      throw new Died("killed");
  }
}

export function openSync(path: string, flags: number): number {
  const at = alive();
  let node = at.disk.find(path);
  if (node !== undefined && (flags & constants.O_EXCL) !== 0) throw new SystemError("EEXIST");
  if (node === undefined && (flags & constants.O_CREAT) === 0) throw new SystemError("ENOENT");
  node ??= call("create", path, () => at.disk.createFile(path));
  descriptors += 1;
  opened.set(descriptors, { node, path });
  return descriptors;
}

function open(fd: number): Open {
  const found = opened.get(fd);
  if (found === undefined) throw new SystemError("EBADF");
  return found;
}

export function closeSync(fd: number): void {
  opened.delete(fd);
}

export function writeSync(fd: number, bytes: Uint8Array, offset = 0, length?: number): number {
  const { node, path } = open(fd);
  const { disk } = alive();
  const file = fileNode(node);
  const given = bytes.subarray(offset, length === undefined ? undefined : offset + length);
  const write = (part: Uint8Array) => {
    if (part.length > 0) disk.append(file, part, path);
    return part.length;
  };
  return call(
    "write",
    path,
    () => write(given),
    (share) => write(given.subarray(0, Math.floor(share * given.length))),
  );
}

export function fsyncSync(fd: number): void {
  const { node, path } = open(fd);
  const { disk } = alive();
  call("fsync", path, () => {
    disk.sync(node);
  });
}

export function readSync(
  fd: number,
  into: Uint8Array,
  ...[offset, length, position]: [number, number, number]
): number {
  const { node, path } = open(fd);
  const file = fileNode(node);
  return call("read", path, () => {
    const end = Math.min(position + length, file.size);
    if (end <= position) return 0;
    into.set(file.bytes.subarray(position, end), offset);
    alive().wasRead(path, end - position);
    return end - position;
  });
}

class Stats {
  readonly size: number;
  readonly ino: number;
  readonly dev = 1;
  readonly ctimeMs: number;
  readonly #kind: Node["kind"];

  constructor(node: Node) {
    this.size = node.kind === "file" ? node.size : 0;
    this.ino = node.inode;
    this.ctimeMs = node.kind === "file" ? node.changed : 0;
    this.#kind = node.kind;
  }

  isFile(): boolean {
    return this.#kind === "file";
  }

  isDirectory(): boolean {
    return this.#kind === "directory";
  }

  isSymbolicLink(): boolean {
    return false;
  }
}

export function fstatSync(fd: number): Stats {
  alive();
  return new Stats(open(fd).node);
}

export function lstatSync(
  path: string,
  { throwIfNoEntry = true }: { readonly throwIfNoEntry?: boolean } = {},
): Stats | undefined {
  const node = alive().disk.find(path);
  if (node === undefined && throwIfNoEntry) throw new SystemError("ENOENT");
  return node === undefined ? undefined : new Stats(node);
}

export function readdirSync(path: string): string[] {
  const node = alive().disk.find(path);
  if (node === undefined) throw new SystemError("ENOENT");
  if (node.kind !== "directory") throw new SystemError("ENOTDIR");
  return [...node.names.keys()];
}

export function renameSync(from: string, to: string): void {
  const { disk } = alive();
  call("rename", to, () => {
    disk.rename(from, to);
  });
}

export function linkSync(from: string, to: string): void {
  const { disk } = alive();
  call("link", to, () => {
    disk.link(from, to);
  });
}

export function unlinkSync(path: string): void {
  const { disk } = alive();
  if (disk.find(path) === undefined) throw new SystemError("ENOENT");
  call("unlink", path, () => {
    disk.unlink(path);
  });
}

export function mkdirSync(path: string): string | undefined {
  const { disk } = alive();
  return call("mkdir", path, () => disk.createDirectories(path));
}

/** Removes trees, too, name by name, so that a death in the middle leaves a part. */
export function rmSync(path: string): void {
  const node = alive().disk.find(path);
  if (node?.kind === "directory") {
    for (const name of [...node.names.keys()]) rmSync(`${path}/${name}`);
  }
  unlinkSync(path);
}

/**
 * The simulated code never removes empty directories, makes or follows links, or asks for the space of a disk; a call fails,
 * so that it is noticed.
 */
function unexpected(): never {
  assert(false, "the simulated roles do not do that to files");
}

export const rmdirSync = unexpected;
export const symlinkSync = unexpected;
export const readlinkSync = unexpected;
export const realpathSync = { native: unexpected };
export const accessSync = unexpected;
export const statSync = unexpected;
export const statfsSync = unexpected;
