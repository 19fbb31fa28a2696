import { dirname, join } from "node:path";
import { LFS_SESSION_BYTES_MAX } from "./lfs-limits.ts";
import type { FileFailure, Files } from "../../base/ports/files.ts";
import { ok, type Result } from "../../base/result.ts";
import type { CloneRepo } from "../clone/clone-repo.ts";
import type { LfsPointer } from "./pointer.ts";

/*
 * What a session has brought into the person's store: `<state>/<role>/<clone>.lfs`, a line of digest and size for each
 * content, written by the role that brings it, before it does. It lies beside the clones, where no engine can write,
 * and stays when a clone is released.
 */

const LINE = /^(?<sha256>[0-9a-f]{64}) (?<bytes>\d{1,15})$/u;
const NAME = /\.lfs$/u;

type Place = Pick<CloneRepo, "context" | "directory">;

/**
 * Records that these contents are about to be brought in.
 *
 * @returns false, and records nothing, if that would be more than a session may bring
 */
export function countIn(
  { context, directory }: Place,
  contents: readonly LfsPointer[],
): Result<boolean, FileFailure> {
  const counted = countedIn({ context, directory });
  if (!counted.ok) return counted;
  const added = new Map(
    contents
      .filter(({ sha256 }) => !counted.value.has(sha256))
      .map(({ sha256, sizeBytes }) => [sha256, sizeBytes]),
  );
  if (added.size === 0) return ok(true);
  if (sumOf(counted.value) + sumOf(added) > LFS_SESSION_BYTES_MAX) return ok(false);
  const lines = [...added].map(([sha256, bytes]) => `${sha256} ${String(bytes)}\n`);
  const appended = context.files.append(`${directory}.lfs`, Buffer.from(lines.join("")));
  return appended.ok ? ok(true) : appended;
}

/** Sizes by digest, of all roles of the session. */
function countedIn({
  context,
  directory,
}: Place): Result<ReadonlyMap<string, number>, FileFailure> {
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
    const read = files.read(join(role, name));
    if (!read.ok) return read;
    for (const [sha256, bytes] of countsIn(read.value ?? new Uint8Array())) {
      counted.set(sha256, bytes);
    }
  }
  return ok(undefined);
}

function countsIn(bytes: Uint8Array): readonly (readonly [string, number])[] {
  const lines = Buffer.from(bytes).toString("latin1").split("\n");
  return lines.flatMap((line) => {
    const { sha256, bytes: size } = LINE.exec(line)?.groups ?? {};
    return sha256 === undefined ? [] : [[sha256, Number(size)] as const];
  });
}

function sumOf(sizes: ReadonlyMap<string, number>): number {
  return [...sizes.values()].reduce((sum, bytes) => sum + bytes, 0);
}
