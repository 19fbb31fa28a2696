import { dirname, join } from "node:path";
import { LFS_SESSION_BYTES_MAX } from "./lfs-limits.ts";
import type { Directories } from "../../base/ports/directories.ts";
import type { FileFailure, Files } from "../../base/ports/files.ts";
import { ok, type Result } from "../../base/result.ts";
import type { LfsPointer } from "./pointer.ts";

/*
 * What a session has brought into the person's store: `<state>/<role>/<clone>.lfs`, a line of digest and size for each
 * content, written by the role that brings it, before it does. It lies beside the clones, where no engine can write,
 * and stays when a clone is released. What came from a place elsewhere is counted in the same way, in `mirror`.
 */

const LINE = /^(?<sha256>[0-9a-f]{64}) (?<bytes>\d{1,15})$/u;
const NAME = /\.lfs$/u;

/** A clone, or what its record is named by in its place. */
interface CountedPlace {
  readonly context: { readonly files: Files; readonly directories: Pick<Directories, "entries"> };
  readonly directory: string;
}

/**
 * Records that these contents are about to be brought in.
 *
 * @param known what the session has brought in so far, which is kept up to date; read from the records if it is not given
 * @returns false, and records nothing, if that would be more than a session may bring
 */
export function countIn(
  { context, directory }: CountedPlace,
  contents: readonly LfsPointer[],
  known?: Map<string, number>,
): Result<boolean, FileFailure> {
  const read = known === undefined ? countedIn({ context, directory }) : ok(known);
  if (!read.ok) return read;
  const counted = read.value;
  const added = new Map(
    contents
      .filter(({ sha256 }) => !counted.has(sha256))
      .map(({ sha256, sizeBytes }) => [sha256, sizeBytes]),
  );
  if (added.size === 0) return ok(true);
  if (sumOf(counted) + sumOf(added) > LFS_SESSION_BYTES_MAX) return ok(false);
  const lines = [...added].map(([sha256, bytes]) => `${sha256} ${String(bytes)}\n`);
  const appended = context.files.append(`${directory}.lfs`, Buffer.from(lines.join("")));
  if (!appended.ok) return appended;
  for (const [sha256, bytes] of added) counted.set(sha256, bytes);
  return ok(true);
}

/** Sizes by digest of what was brought in, by all roles of the session. */
export function countedIn({
  context,
  directory,
}: CountedPlace): Result<Map<string, number>, FileFailure> {
  const { files, directories } = context;
  const state = dirname(dirname(directory));
  const roles = directories.entries(state);
  if (!roles.ok) return roles;
  const counted = new Map<string, number>();
  for (const { name } of roles.value.filter(({ kind }) => kind === "directory")) {
    const added = addCounted(files, join(state, name), counted);
    if (!added.ok) return added;
  }
  return ok(counted);
}

function addCounted(
  files: Files,
  role: string,
  counted: Map<string, number>,
): Result<void, FileFailure> {
  const listed = files.list(role);
  if (!listed.ok) return listed;
  for (const name of listed.value.filter((each) => NAME.test(each))) {
    const read = countedFrom(files, join(role, name));
    if (!read.ok) return read;
    for (const [sha256, bytes] of read.value) counted.set(sha256, bytes);
  }
  return ok(undefined);
}

/** Sizes by digest, as one such record has them, in its order; empty if there is none. */
export function countedFrom(
  files: Files,
  path: string,
): Result<ReadonlyMap<string, number>, FileFailure> {
  const read = files.read(path);
  if (!read.ok) return read;
  const lines = Buffer.from(read.value ?? [])
    .toString("latin1")
    .split("\n");
  return ok(
    new Map(
      lines.flatMap((line) => {
        const { sha256, bytes } = LINE.exec(line)?.groups ?? {};
        return sha256 === undefined ? [] : [[sha256, Number(bytes)] as const];
      }),
    ),
  );
}

function sumOf(sizes: ReadonlyMap<string, number>): number {
  return [...sizes.values()].reduce((sum, bytes) => sum + bytes, 0);
}
