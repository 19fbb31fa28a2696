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

/** What a process that was killed in the midst of something may have left in a directory. */
export interface Leftover {
  readonly path: string;
  /** `temporary`: a file or folder that was to be renamed into place. `lock`: a short lock. */
  readonly what: "lock" | "temporary";
}

/** Long after anything that could still be in use: both are there for milliseconds. */
const AGE_MS_MIN = 60_000;

/** A session's home that is being made, and the mark of who makes it. */
const NEW_HOME = /^(\.new-[0-9a-f-]{36})(?:\.json)?$/;

/**
 * Finds them directly in these directories; those that are not there have none. Only what is old counts, but where
 * the caller alone writes: then the temporary files of roles, of any age, do as well.
 */
export function findLeftovers(
  directories: readonly string[],
  nowMs: number,
  { own = false }: { readonly own?: boolean } = {},
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
      if (!(own && isOfRole(entry.name)) && !isOld(path, nowMs)) return [];
      return [{ path, what: isLock ? "lock" : "temporary" }];
    });
  });
}

/** Whether it is a half-made file that only who holds a lease of the session makes. */
function isOfRole(name: string): boolean {
  const of = temporaryOf(name) ?? "";
  return of === "TASKS.md" || ["supervisor", ...ROLES].some((who) => of.startsWith(`${who}.`));
}

/** Whether it is of a start that is no more; who was stopped for long may still go on. */
function isAbandoned(directory: string, name: string): boolean {
  const draftName = NEW_HOME.exec(name)?.[1];
  if (draftName === undefined) return false;
  const mark = readStartMark(createNodeFiles(), startMarkPath(join(directory, draftName)));
  return mark === undefined || !isStarting(mark, true);
}

function isOld(path: string, nowMs: number): boolean {
  const found = attempt(() => lstatSync(path).mtimeMs);
  return found.ok && nowMs - found.value > AGE_MS_MIN;
}

/** Removes one; a lock only while it is empty, as its holder makes it. */
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
