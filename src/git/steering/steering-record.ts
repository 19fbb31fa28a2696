import { join } from "node:path";
import { z } from "zod";
import { lateObject } from "../../base/late-object.ts";
import type { GitFailure } from "../../base/ports/repo.ts";
import { fail, ok, type Result } from "../../base/result.ts";
import { jsonOf } from "../../base/words/json-text.ts";
import type { GitContext } from "../command/git-environment.ts";
import { fileAsGitFailure } from "../command/git-failure.ts";
import { steeringFolder } from "./steering-place.ts";

/*
 * What of a clone is not as on its branch right now: `<clone>.steering/record.json`, written before anything is changed
 * and removed when all is back.
 */

const RECORD_BYTES_MAX = 16 * 1024 * 1024;

const SteeringRecord = lateObject(() => ({
  version: z.literal(1),
  /** The inode of the clone's `.git`: a clone that is made anew in the same place is another one. */
  clone: z.number(),
  /** Files and folders that are replaced, in the order of their numbers in the folder for what was there. */
  roots: z.array(z.object({ path: z.string().min(1), wasThere: z.boolean() })),
  /** Folders that were made for them. */
  folders: z.array(z.string().min(1)),
  /** `info/exclude`, if it was there. */
  exclude: z.string().optional(),
}));
/** What is replaced in a clone. */
export type SteeringRecord = z.infer<typeof SteeringRecord>;

function recordPath(directory: string): string {
  return join(steeringFolder(directory), "record.json");
}

/** Where what was in the place of a file is kept, by its number in the record. */
export function asidePath(directory: string, number: number): string {
  return join(steeringFolder(directory), "aside", String(number));
}

/** Whether anything of a clone may be replaced; takes one look at a path. */
export function isSteered({ files }: Pick<GitContext, "files">, directory: string): boolean {
  return files.stat(recordPath(directory)) !== undefined;
}

/** The record of a clone; undefined if there is none, or if it is that of another clone in the same place. */
export function readSteering(
  { files }: Pick<GitContext, "files">,
  directory: string,
): SteeringRecord | undefined {
  const read = files.read(recordPath(directory), RECORD_BYTES_MAX);
  if (!read.ok || read.value === undefined) return undefined;
  const { data } = SteeringRecord.safeParse(jsonOf(new TextDecoder().decode(read.value)));
  return data?.clone === cloneMark({ files }, directory) ? data : undefined;
}

/** Tells a clone from another one in the same place. */
export function cloneMark({ files }: Pick<GitContext, "files">, directory: string): number {
  return files.stat(join(directory, ".git"))?.inode ?? 0;
}

/** Writes the record, before anything of it is done. */
export function writeSteering(
  { files }: Pick<GitContext, "files">,
  directory: string,
  record: Omit<SteeringRecord, "version">,
): Result<void, GitFailure> {
  const made = files.makeDirectory(join(steeringFolder(directory), "aside"));
  const bytes = Buffer.from(`${JSON.stringify({ version: 1, ...record })}\n`);
  const written = made.ok ? files.replace(recordPath(directory), bytes) : made;
  return written.ok ? ok(undefined) : fail(fileAsGitFailure("steer", written.failure));
}

/** Removes the record, and what was kept for it. */
export function endSteering(
  { directories }: Pick<GitContext, "directories">,
  directory: string,
): Result<void, GitFailure> {
  // The record goes last: without it, nobody would look for what is kept.
  for (const path of [join(steeringFolder(directory), "aside"), recordPath(directory)]) {
    const removed = directories.removeTree(path);
    if (!removed.ok) return fail(fileAsGitFailure("steer", removed.failure));
  }
  return ok(undefined);
}
