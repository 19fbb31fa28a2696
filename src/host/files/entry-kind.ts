import { lstatSync, readdirSync } from "node:fs";
import { attempt } from "../system/errno.ts";

/** The kind of a directory entry. */
export type EntryKind = "file" | "directory" | "link" | "pipe" | "socket" | "device";

/** The kind of the entry at a path, without opening it or following a link; `undefined` if none can be read. */
export function entryKind(path: string): EntryKind | undefined {
  const found = attempt(() => lstatSync(path, { throwIfNoEntry: false }));
  if (!found.ok || found.value === undefined) return undefined;
  const { value } = found;
  if (value.isFile()) return "file";
  if (value.isDirectory()) return "directory";
  if (value.isSymbolicLink()) return "link";
  if (value.isFIFO()) return "pipe";
  return value.isSocket() ? "socket" : "device";
}

/** The names in a directory, sorted; empty if it is not a directory or cannot be read. */
export function namesIn(directory: string): readonly string[] {
  if (entryKind(directory) !== "directory") return [];
  const names = attempt(() => readdirSync(directory));
  return names.ok ? names.value.sort() : [];
}

/** The size of a file in bytes; `undefined` if there is no file. */
export function sizeOf(path: string): number | undefined {
  const found = attempt(() => lstatSync(path, { throwIfNoEntry: false }));
  return found.ok && found.value?.isFile() === true ? found.value.size : undefined;
}
