import { lstatSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { chmodSync } from "../system/effects.ts";

/** What an owner needs to look into a folder, and to put something there or take it away. */
const OWNERS_RIGHTS = 0o700;

/**
 * Gives the owner the rights back that were taken from folders at `path` and below: a test suite, or an engine, may
 * leave some that can neither be written nor removed. No link is followed.
 *
 * @returns how many folders were other than that
 */
export function makeWritable(path: string): number {
  let changed = 0;
  const folders = [path];
  // Those that are found on the way are looked at, too.
  for (const folder of folders) {
    const found = lstatSync(folder, { throwIfNoEntry: false });
    if (found?.isDirectory() !== true) continue;
    if ((found.mode & OWNERS_RIGHTS) !== OWNERS_RIGHTS) {
      chmodSync(folder, (found.mode & 0o7777) | OWNERS_RIGHTS);
      changed += 1;
    }
    const entries = readdirSync(folder, { withFileTypes: true });
    const inside = entries.filter((entry) => entry.isDirectory());
    folders.push(...inside.map(({ name }) => join(folder, name)));
  }
  return changed;
}
