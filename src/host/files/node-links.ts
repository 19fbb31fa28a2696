import { FileFailure } from "../../base/ports/files.ts";
import { randomBytes } from "node:crypto";
import { readlinkSync, realpathSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { fail, type Result } from "../../base/result.ts";
import { renameSync, symlinkSync, unlinkSync } from "../system/effects.ts";
import { attempt } from "../system/errno.ts";

/** The target of a symbolic link; `undefined` if there is no link at `path`. */
export function readLink(path: string): string | undefined {
  const read = attempt(() => readlinkSync(path));
  return read.ok ? read.value : undefined;
}

/** The path with all links resolved; `undefined` if it leads nowhere. */
export function realPath(path: string): string | undefined {
  const found = attempt(() => realpathSync.native(path));
  return found.ok ? found.value : undefined;
}

/** Atomically makes `path` a symbolic link to `target`, replacing any link there. */
export function pointLink(path: string, target: string): Result<void, FileFailure> {
  const name = `.${basename(path)}.${randomBytes(6).toString("hex")}.tmp`;
  const temporary = join(dirname(path), name);
  const made = attempt(() => symlinkSync(target, temporary));
  const placed = made.ok ? attempt(() => renameSync(temporary, path)) : made;
  if (placed.ok) return placed;
  attempt(() => unlinkSync(temporary));
  return fail(FileFailure({ operation: "replace", path, errno: placed.failure }));
}
