import { accessSync, constants, statSync } from "node:fs";
import { delimiter, join, resolve } from "node:path";
import { type Command, SpawnFailure } from "../../base/ports/processes.ts";
import { fail, type Result } from "../../base/result.ts";
import { attempt, type Errno } from "../system/errno.ts";

/** The port's failure for a command that could not be started. */
export function spawnFailure(command: Command, errno: Errno): Result<never, SpawnFailure> {
  return fail(SpawnFailure({ executable: command.argv[0], errno }));
}

/**
 * Why a command cannot even be tried: `ENOENT` for an empty executable name; `EINVAL` for a NUL in a word, which no
 * system call can pass; `ENOTDIR` for a working directory that is not a directory. The system would report the last
 * as `ENOENT`, as if the executable were missing.
 */
export function refusalOf({ argv, cwd, env }: Command): Errno | undefined {
  if (argv[0] === "") return "ENOENT";
  const words = [...argv, cwd, ...Object.keys(env), ...Object.values(env)];
  if (words.some((word) => word.includes("\0"))) return "EINVAL";
  const found = attempt(() => statSync(cwd));
  return found.ok && found.value.isDirectory() ? undefined : "ENOTDIR";
}

/**
 * Why an executable could not be started, found by the same search that the system does; `otherwise` if the
 * executable is not the reason. The system itself reports `EACCES` even for a missing program, if a directory of
 * PATH may not be searched.
 */
export function whyNotExecutable({ argv, cwd, env }: Command, otherwise: Errno): Errno {
  const [executable] = argv;
  const directories = executable.includes("/") ? [""] : (env["PATH"] ?? "").split(delimiter);
  const paths = directories.map((directory) => resolve(cwd, join(directory, executable)));
  if (!paths.some((path) => attempt(() => accessSync(path)).ok)) return "ENOENT";
  const isExecutable = paths.some((path) => attempt(() => accessSync(path, constants.X_OK)).ok);
  return isExecutable ? otherwise : "EACCES";
}
