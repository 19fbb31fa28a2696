import { createHash, type Hash } from "node:crypto";
import { dirname, join } from "node:path";
import { FAR_COPY_MS_MAX } from "../../base/limits.ts";
import { ExecutorRefused, type ExecutorFailure } from "../../base/ports/executor.ts";
import type { Clock } from "../../base/ports/clock.ts";
import type { FileFailure, Files } from "../../base/ports/files.ts";
import type { Directories } from "../../base/ports/directories.ts";
import { fail, ok, type Result } from "../../base/result.ts";
import type { ExecutorHost } from "../../executors/over-argv.ts";

/** What of this package a place needs: the program holds all its dependencies. */
const PACKED = ["dist", "templates", "package.json"] as const;

/** The package of the wisp that runs, with a digest of everything that is packed of it. */
export interface OwnPackage {
  readonly directory: string;
  readonly digest: string;
}

/**
 * Finds the package of a program.
 *
 * @param entry absolute path of its script, which is in `dist`
 */
export function ownPackage(
  { files, directories }: { readonly files: Files; readonly directories: Directories },
  entry: string,
): Result<OwnPackage, FileFailure> {
  const directory = dirname(dirname(entry));
  const hash = createHash("sha256");
  for (const name of PACKED) {
    const added = addToDigest({ files, directories }, hash, { directory, path: name });
    if (!added.ok) return added;
  }
  return ok({ directory, digest: hash.digest("hex").slice(0, 32) });
}

/** Adds the names and contents of all files at `path`, relative to `directory`, in the order of their names. */
function addToDigest(
  host: { readonly files: Files; readonly directories: Directories },
  hash: Hash,
  { directory, path }: { readonly directory: string; readonly path: string },
): Result<void, FileFailure> {
  const full = join(directory, path);
  if (host.directories.kindOf(full) !== "directory") {
    const read = host.files.read(full);
    if (!read.ok) return read;
    const bytes = read.value ?? new Uint8Array();
    hash.update(`${path}\0${String(bytes.length)}\0`).update(bytes);
    return ok(undefined);
  }
  const names = host.files.list(full);
  if (!names.ok) return names;
  for (const name of names.value) {
    const added = addToDigest(host, hash, { directory, path: join(path, name) });
    if (!added.ok) return added;
  }
  return ok(undefined);
}

/** Packs a package into one compressed file at `path`, with the system's tar. */
export async function packProgram(
  { programs, receiveFile, cwd, env }: ExecutorHost,
  { directory }: OwnPackage,
  path: string,
): Promise<Result<void, ExecutorFailure>> {
  const receiver = receiveFile(path);
  if (!receiver.ok) return receiver;
  const { write, finish, drop } = receiver.value;
  const argv = ["tar", "-C", directory, "-czf", "-", "--", ...PACKED] as const;
  const packed = await programs.stream({
    ...{ argv, cwd, env, onStdout: write, timeoutMs: FAR_COPY_MS_MAX },
  });
  if (packed.ok && packed.value.kind === "exited" && packed.value.exitCode === 0) return finish();
  drop();
  if (!packed.ok) return packed;
  const detail = `wisp could not be packed: ${packed.value.stderr.trim()}`;
  return fail(ExecutorRefused({ executor: "tar", detail }));
}

/** An archive that was made longer ago is not on its way to any place any more. */
const PACKED_MS_MAX = 2 * FAR_COPY_MS_MAX;

/**
 * Removes the archives of earlier programs, and what killed commands left of one, from the directory of an archive;
 * not what a command may still send. What cannot be removed stays until the next time.
 *
 * @param archive absolute path of the one that stays
 */
export function clearPacked(
  {
    files,
    directories,
    clock,
  }: {
    readonly files: Pick<Files, "stat" | "remove">;
    readonly directories: Pick<Directories, "entries">;
    readonly clock: Clock;
  },
  archive: string,
): void {
  const cache = dirname(archive);
  const entries = directories.entries(cache);
  if (!entries.ok) return;
  for (const { name, kind } of entries.value) {
    const path = join(cache, name);
    const changedMs = files.stat(path)?.changedMs;
    const isOld = changedMs !== undefined && clock.nowMs() - changedMs > PACKED_MS_MAX;
    if (kind === "file" && isOld && path !== archive) files.remove(path);
  }
}
