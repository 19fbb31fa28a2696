import { FileFailure } from "../../base/ports/files.ts";
import { lstatSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { fail, ok, type Result } from "../../base/result.ts";
import { ROLES } from "../../base/role.ts";
import { removeTree, rmdirSync, unlinkSync } from "../system/effects.ts";
import { attempt } from "../system/errno.ts";
import { createNodeFiles } from "./node-files.ts";
import { isStarting, readStartMark, startMarkPath } from "../processes/start-mark.ts";
import { isTemporaryName, temporaryOf } from "./write-atomically.ts";

/** A file or directory that a killed process may have left behind. */
export interface Leftover {
  readonly path: string;
  /** `temporary` is a file or folder that was to be renamed into place; `lock` is a short lock. */
  readonly what: "lock" | "temporary";
}

/** Old enough to be out of use: locks and temporary files normally exist for milliseconds. */
const AGE_MS_MIN = 60_000;

/** A session's home that is still being made, and the mark of the process that makes it. */
const NEW_HOME = /^(\.new-[0-9a-f-]{36})(?:\.json)?$/;

interface LeftoverOptions {
  readonly own?: boolean;
  readonly ageMsMin?: number;
}

/**
 * Finds leftovers directly in these directories; missing directories have none. Only entries of this age count, by
 * default a minute. With `own`, when the caller alone writes here, the roles' temporary files count at any age.
 */
export function findLeftovers(
  directories: readonly string[],
  nowMs: number,
  { own = false, ageMsMin = AGE_MS_MIN }: LeftoverOptions = {},
): readonly Leftover[] {
  return directories.flatMap((directory) => {
    const names = attempt(() => readdirSync(directory, { withFileTypes: true }));
    if (!names.ok) return [];
    return names.value.flatMap((entry): Leftover[] => {
      const path = join(directory, entry.name);
      const isNote = entry.isSymbolicLink() && entry.name.endsWith(".lock.holder");
      const isLock = isNote || (entry.isDirectory() && entry.name.endsWith(".lock"));
      const isTemporary = isTemporaryName(entry.name) || isAbandoned(directory, entry.name);
      if (!(isLock || isTemporary)) return [];
      if (!(own && isOfRole(entry.name)) && !isOld(path, nowMs, ageMsMin)) return [];
      return [{ path, what: isLock ? "lock" : "temporary" }];
    });
  });
}

/** Whether it is a half-written file that only the holder of one of the session's leases writes. */
function isOfRole(name: string): boolean {
  const of = temporaryOf(name) ?? "";
  return of === "TASKS.md" || ["supervisor", ...ROLES].some((who) => of.startsWith(`${who}.`));
}

/** Whether it belongs to a start whose process is gone; a process that was suspended may still continue. */
function isAbandoned(directory: string, name: string): boolean {
  const draftName = NEW_HOME.exec(name)?.[1];
  if (draftName === undefined) return false;
  const mark = readStartMark(createNodeFiles(), startMarkPath(join(directory, draftName)));
  return mark === undefined || !isStarting(mark, true);
}

function isOld(path: string, nowMs: number, ageMsMin: number): boolean {
  const found = attempt(() => lstatSync(path).mtimeMs);
  return found.ok && nowMs - found.value > ageMsMin;
}

/** Removes one leftover; a lock only if it is empty, as its holder made it. */
export function removeLeftover({ path, what }: Leftover): Result<void, FileFailure> {
  const removed = attempt(() => {
    const isDirectory = lstatSync(path).isDirectory();
    if (isDirectory && what === "lock") rmdirSync(path);
    else if (isDirectory) removeTree(path);
    else unlinkSync(path);
  });
  if (removed.ok || removed.failure === "ENOENT") return ok(undefined);
  return fail(FileFailure({ operation: "remove", path, errno: removed.failure }));
}
