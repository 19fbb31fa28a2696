import { accessSync, constants, statfsSync, statSync } from "node:fs";
import { dirname } from "node:path";
import { attempt } from "../system/errno.ts";

/** A file system, as an ordinary user sees it. */
export interface Disk {
  readonly freeBytes: number;
  /** How many files can still be created; `undefined` if the file system does not count them. */
  readonly freeFiles: number | undefined;
  /** The file system's kind, if other machines may write to it too. */
  readonly shared: string | undefined;
  /** The device number, which distinguishes file systems. */
  readonly device: number;
}

/** File systems on which events and locks may not cross machines, by Linux's magic numbers. */
const SHARED: ReadonlyMap<number, string> = new Map([
  [0x6969, "NFS"],
  [0xff534d42, "CIFS"],
  [0xfe534d42, "SMB"],
  [0x517b, "SMB"],
  [0x01021997, "9p"],
  [0x65735546, "FUSE"],
]);

/** The file system that contains `path`, or would contain it; `undefined` if it cannot be read. */
export function probeDisk(path: string): Disk | undefined {
  const existing = existingAt(path);
  const found = attempt(() => ({ fs: statfsSync(existing), device: statSync(existing).dev }));
  if (!found.ok) return undefined;
  const { fs, device } = found.value;
  return {
    freeBytes: fs.bavail * fs.bsize,
    freeFiles: fs.files > 0 ? fs.ffree : undefined,
    shared: process.platform === "linux" ? SHARED.get(fs.type) : undefined,
    device,
  };
}

/** Whether files can be created in `path`, or `path` itself can be created. */
export function isWritable(path: string): boolean {
  return attempt(() => accessSync(existingAt(path), constants.W_OK | constants.X_OK)).ok;
}

/** The path itself, or its nearest existing parent. */
function existingAt(path: string): string {
  const isThere = attempt(() => statSync(path)).ok;
  return isThere || path === dirname(path) ? path : existingAt(dirname(path));
}
