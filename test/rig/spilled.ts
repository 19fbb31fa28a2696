import { spawnSync } from "node:child_process";
import { readdirSync } from "node:fs";
import { dirname, join } from "node:path";
import { STANDSTILL_MS_MAX } from "./patience.ts";

const OUTPUT_BYTES_MAX = 256 * 1024 * 1024;

/**
 * Finds a text below folders: paths of files, and of repositories that have it in an object. Links are not
 * followed.
 */
export function spilled(text: string, folders: readonly string[]): readonly string[] {
  const { stdout, status } = spawnSync("grep", ["-rlaF", "-e", text, "--", ...folders], {
    encoding: "utf8",
    maxBuffer: OUTPUT_BYTES_MAX,
    timeout: STANDSTILL_MS_MAX,
  });
  // 1: not found. 2: a folder does not exist or could not be read.
  if (status !== 0 && status !== 1) throw new Error(`grep ended with ${String(status)}`);
  const repositories = folders.flatMap(repositoriesIn);
  return [
    ...stdout.split("\n").filter((path) => path !== ""),
    ...repositories.filter((repository) => objectsOf(repository).includes(text)),
  ];
}

/** Work trees below a folder, and the folder itself if it is one. */
function repositoriesIn(folder: string): readonly string[] {
  return readdirSync(folder, { recursive: true, encoding: "utf8" })
    .filter((path) => path === ".git" || path.endsWith("/.git"))
    .map((path) => join(folder, dirname(path)));
}

/** All objects of a repository, also unreachable ones. */
function objectsOf(repository: string): Buffer {
  const config = ["-c", "safe.directory=*", "-c", "core.commitGraph=false"];
  const { stdout, status, stderr } = spawnSync(
    "git",
    [...config, "-C", repository, "cat-file", "--batch-all-objects", "--batch", "--buffer"],
    { maxBuffer: OUTPUT_BYTES_MAX, timeout: STANDSTILL_MS_MAX },
  );
  if (status !== 0) throw new Error(`git in ${repository}: ${stderr.toString()}`);
  return stdout;
}
