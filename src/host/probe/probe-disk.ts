import { accessSync, constants, statfsSync, statSync } from "node:fs";
import { dirname } from "node:path";
import { attempt } from "../system/errno.ts";

/** A file system, as an ordinary user finds it. */
export interface Disk {
  readonly freeBytes: number;
  /** Files that may still be made; undefined where the file system does not count them. */
  readonly freeFiles: number | undefined;
  /** Its kind, when it is one that other machines may write to, too. */
  readonly shared: string | undefined;
  /** Tells two file systems apart. */
  readonly device: number;
}

/** File systems on which neither events nor locks need come from other machines: the magic numbers of Linux. */
const SHARED: ReadonlyMap<number, string> = new Map([
  [0x6969, "NFS"],
  [0xff534d42, "CIFS"],
  [0xfe534d42, "SMB"],
  [0x517b, "SMB"],
  [0x01021997, "9p"],
  [0x65735546, "FUSE"],
]);

/** The file system that holds `path`, or would; undefined when it cannot be asked. */
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

/** Whether files may be made in `path`, or `path` itself be made. */
export function isWritable(path: string): boolean {
  return attempt(() => accessSync(existingAt(path), constants.W_OK | constants.X_OK)).ok;
}

/** The path itself, or the lowest folder above it that is there. */
function existingAt(path: string): string {
  const isThere = attempt(() => statSync(path)).ok;
  return isThere || path === dirname(path) ? path : existingAt(dirname(path));
}
