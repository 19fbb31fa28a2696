import { join } from "node:path";
import { STORE_RECORD_BYTES_MAX } from "../../base/limits.ts";
import type { GitFailure } from "../../base/ports/repo.ts";
import { fail, ok, type Result } from "../../base/result.ts";
import { sharedObjects } from "../../fs-protocol/home/shared-objects.ts";
import type { GitContext } from "../command/git-environment.ts";
import { fileAsGitFailure } from "../command/git-failure.ts";
import { isLooseFolder } from "./copy-object-files.ts";

type Context = Pick<GitContext, "files" | "directories">;

/** A file of a pack with its size in bytes, or a folder of single objects with their number. */
const LINE = /^(?<count>\d+) (?<name>pack\/pack-[0-9a-f]+\.\w+|[0-9a-f]{2})$/u;

/**
 * Whether everything is there that was recorded, as far as names and sizes show. A store without a
 * record is not whole. What came after the record, as from a process that was killed, does no harm.
 */
export function isWhole(context: Context, store: string): boolean {
  const recorded = readRecord(context, store);
  if (recorded === undefined) return false;
  const { directories } = context;
  return [...recorded].every(([name, count]) => {
    const path = join(sharedObjects(store), name);
    if (!isLooseFolder(name)) return context.files.stat(path)?.sizeBytes === count;
    const entries = directories.entries(path);
    return entries.ok && entries.value.length >= count;
  });
}

/** Which files of an incomplete store are worth keeping: packs of the recorded size, and what is not empty. */
export function goodFiles(context: Context, store: string): (path: string) => boolean {
  const recorded = readRecord(context, store) ?? new Map<string, number>();
  const sizeOf = (path: string) =>
    context.files.stat(join(sharedObjects(store), path))?.sizeBytes ?? 0;
  const isRecorded = (path: string) => recorded.get(path) === sizeOf(path);
  return (path) => {
    const [, pack] = /^(pack\/pack-[0-9a-f]+)\./u.exec(path) ?? [];
    if (pack === undefined) return sizeOf(path) > 0;
    return isRecorded(`${pack}.pack`) && isRecorded(`${pack}.idx`);
  };
}

/** Sizes and numbers by name; undefined if there is no record, or one that wisp did not write. */
function readRecord({ files }: Context, store: string): ReadonlyMap<string, number> | undefined {
  const read = files.read(recordPath(store), STORE_RECORD_BYTES_MAX);
  if (!read.ok || read.value === undefined) return undefined;
  const lines = Buffer.from(read.value).toString("utf8").split("\n").slice(0, -1);
  const found = lines.map((line) => LINE.exec(line)?.groups);
  if (found.includes(undefined)) return undefined;
  return new Map(found.map((one) => [one?.["name"] ?? "", Number(one?.["count"])]));
}

/** Records what is in a store: each pack with its size, each folder with the number of its files. */
export function recordStore(
  { files, directories }: Context,
  store: string,
): Result<void, GitFailure> {
  const objects = sharedObjects(store);
  const listed = directories.entries(objects);
  if (!listed.ok) return fail(fileAsGitFailure("share", listed.failure));
  const packs = directories.entries(join(objects, "pack"));
  if (!packs.ok) return fail(fileAsGitFailure("share", packs.failure));
  const lines: string[] = [];
  for (const { name } of packs.value.filter((each) => /^pack-.*\.(?:pack|idx)$/u.test(each.name))) {
    lines.push(`${String(files.stat(join(objects, "pack", name))?.sizeBytes ?? 0)} pack/${name}\n`);
  }
  for (const { name } of listed.value.filter((each) => isLooseFolder(each.name))) {
    const loose = directories.entries(join(objects, name));
    if (!loose.ok) return fail(fileAsGitFailure("share", loose.failure));
    lines.push(`${String(loose.value.length)} ${name}\n`);
  }
  const written = files.replace(recordPath(store), Buffer.from(lines.join("")));
  return written.ok ? ok(undefined) : fail(fileAsGitFailure("share", written.failure));
}

function recordPath(store: string): string {
  return join(store, "whole");
}
