import { lstatSync, readdirSync } from "node:fs";
import { attempt } from "../system/errno.ts";

/** What is at a path itself. */
export type EntryKind = "file" | "directory" | "link" | "pipe" | "socket" | "device";

/** What is at a path, without opening it or following a link; undefined: nothing, or it cannot be looked at. */
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

/** Names in a directory, sorted; none where it is no directory, or cannot be read. */
export function namesIn(directory: string): readonly string[] {
  if (entryKind(directory) !== "directory") return [];
  const names = attempt(() => readdirSync(directory));
  return names.ok ? names.value.sort() : [];
}

/** Bytes of a file; undefined where there is none. */
export function sizeOf(path: string): number | undefined {
  const found = attempt(() => lstatSync(path, { throwIfNoEntry: false }));
  return found.ok && found.value?.isFile() === true ? found.value.size : undefined;
}
