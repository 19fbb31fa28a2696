import { type Dirent, lstatSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { chmodSync } from "../system/effects.ts";

/** The rights that an owner needs to list a folder and to add or remove entries. */
const OWNERS_RIGHTS = 0o700;

/**
 * Restores the owner's rights on folders at `path` and below: a test suite or an engine may leave some that can
 * neither be written nor removed. Links are not followed.
 *
 * @returns the number of folders that were changed
 */
export function makeWritable(path: string): number {
  let changed = 0;
  const folders = [path];
  // The loop also visits the folders that it appends.
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

const WRITE_RIGHTS = 0o222;

/** Takes the right to write from all regular files at `path` and below. Links are not followed. */
export function makeReadOnly(path: string): void {
  const folders = [path];
  // The loop also visits the folders that it appends.
  for (const folder of folders) {
    const entries = readdirSync(folder, { withFileTypes: true });
    const pathOf = ({ name }: Dirent) => join(folder, name);
    folders.push(...entries.filter((entry) => entry.isDirectory()).map(pathOf));
    entries
      .filter((entry) => entry.isFile())
      .forEach((entry) => {
        closeFile(pathOf(entry));
      });
  }
}

function closeFile(path: string): void {
  const { mode } = lstatSync(path);
  if ((mode & WRITE_RIGHTS) !== 0) chmodSync(path, mode & 0o7777 & ~WRITE_RIGHTS);
}
