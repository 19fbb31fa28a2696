import { dirname, join } from "node:path";
import { FAR_COPY_MS_MAX } from "../../base/limits.ts";
import { ExecutorRefused, type ExecutorFailure } from "../../base/ports/executor.ts";
import type { Clock } from "../../base/ports/clock.ts";
import type { Files } from "../../base/ports/files.ts";
import type { Directories } from "../../base/ports/directories.ts";
import { fail, type Result } from "../../base/result.ts";
import type { ExecutorHost } from "../../executors/over-argv.ts";
import { PACKED } from "../../workspace/lasting-program.ts";

/** Packs a package into one compressed file at `path`, with the system's tar. */
export async function packProgram(
  { programs, receiveFile, cwd, env }: ExecutorHost,
  directory: string,
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
