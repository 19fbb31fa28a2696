import { closeSync, constants, lstatSync, readdirSync, type Stats } from "node:fs";
import { join } from "node:path";
import { openSync } from "../system/effects.ts";
import { attempt } from "../system/errno.ts";

/** What below `/proc` could be opened for writing. */
export interface KernelSightings {
  /** Absolute paths, in the order in which they were found. */
  readonly openable: readonly string[];
  /** Whether there was more than was looked at. */
  readonly isCut: boolean;
}

/** Entries below `/proc` that are looked at; Linux has some 2,000 on a machine with few network devices. */
const ENTRIES_MAX = 50_000;

/**
 * Opens each file below `/proc` that is of no process for writing, as an engine could, and writes nothing. Runs inside
 * a sandbox that should refuse them all. Without `/proc` nothing is found.
 */
export function lookForKernelSettings(root = "/proc"): KernelSightings {
  const openable: string[] = [];
  let entries = 0;
  const visit = (directory: string): void => {
    const names = attempt(() => readdirSync(directory));
    for (const name of names.ok ? names.value : []) {
      if (directory === root && /^\d+$/u.test(name)) continue;
      if (++entries > ENTRIES_MAX) return;
      const path = join(directory, name);
      const found = attempt(() => lstatSync(path));
      // Links, such as `self` and `net`, lead to a process.
      if (!found.ok) continue;
      if (found.value.isDirectory()) visit(path);
      else if (canBeOpened(path, found.value)) openable.push(path);
    }
  };
  visit(root);
  return { openable, isCut: entries > ENTRIES_MAX };
}

/** Whether a file that is not for everybody to write can be opened for writing. */
function canBeOpened(path: string, stats: Stats): boolean {
  if (!stats.isFile() || (stats.mode & 0o002) !== 0) return false;
  const flags = constants.O_WRONLY | constants.O_APPEND | constants.O_NONBLOCK;
  const opened = attempt(() => openSync(path, flags));
  if (opened.ok) closeSync(opened.value);
  return opened.ok;
}
