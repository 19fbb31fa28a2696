import { execFileSync } from "node:child_process";
import { mkdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/*
 * Things that a person or a model may put in the place of one of wisp's files.
 */

/** A link to what was there, beside it. */
export function putLink(path: string): void {
  renameSync(path, `${path}.elsewhere`);
  symlinkSync(`${path}.elsewhere`, path);
}

/** A pipe that nobody writes to. */
export function putPipe(path: string): void {
  rmSync(path, { recursive: true, force: true });
  execFileSync("mkfifo", [path]);
}

/** A directory with a foreign file. */
export function putDirectory(path: string): void {
  rmSync(path, { recursive: true, force: true });
  mkdirSync(path);
  writeFileSync(join(path, "mine.txt"), "mine\n");
}
