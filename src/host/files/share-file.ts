import { closeSync, constants, fstatSync, lstatSync } from "node:fs";
import { dirname } from "node:path";
import { fail, ok, type Result } from "../../base/result.ts";
import { chmodSync, makeDirectories, openSync, removeTree, shareFile } from "../system/effects.ts";
import { attempt, errnoOf, type Errno } from "../system/errno.ts";

/**
 * Makes a file that shares its content with another, or fails and leaves nothing. `mode` is reduced by the process's
 * umask, which the system applies when the file is made.
 */
export async function shareAnew(
  from: string,
  to: string,
  mode: number,
): Promise<Result<void, Errno>> {
  // A copy of a pipe would wait for somebody who writes into it.
  if (!isFile(from)) return fail("EINVAL");
  const made = attempt(() => makeDirectories(dirname(to), 0o777));
  if (!made.ok) return made;
  const given = attempt(() => makeEmpty(to, mode));
  if (!given.ok) return given;
  // The content comes with the other file's mode.
  const done = await attemptAsync(() => shareFile(from, to));
  const ended = attempt(() => {
    if (done.ok) chmodSync(to, given.value);
    else removeTree(to);
  });
  return done.ok ? ended : done;
}

/** The mode that the new file got. */
function makeEmpty(path: string, mode: number): number {
  const { O_CREAT, O_EXCL, O_WRONLY } = constants;
  const fd = openSync(path, O_CREAT | O_EXCL | O_WRONLY, mode);
  try {
    return fstatSync(fd).mode & 0o777;
  } finally {
    closeSync(fd);
  }
}

function isFile(path: string): boolean {
  const found = attempt(() => lstatSync(path, { throwIfNoEntry: false }));
  return found.ok && found.value?.isFile() === true;
}

/** Runs an operation of the file system, and returns what it fails with. */
export async function attemptAsync(call: () => Promise<void>): Promise<Result<void, Errno>> {
  try {
    await call();
    return ok(undefined);
  } catch (thrown) {
    const errno = errnoOf(thrown);
    if (errno === undefined) throw thrown;
    return fail(errno);
  }
}
