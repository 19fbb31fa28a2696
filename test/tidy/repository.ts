import { execFileSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

/** Absolute path of the repository, without a slash at its end. */
export const repositoryRoot = fileURLToPath(new URL("../..", import.meta.url)).replace(/\/$/, "");

/**
 * Paths of the files that git knows or would add, sorted: files that a contributor is about to commit
 * are checked like committed ones.
 */
export function repositoryFiles(): readonly string[] {
  // The checkout may be another user's, as in a container.
  const git = ["-c", "safe.directory=*"];
  const argv = [...git, "ls-files", "-z", "--cached", "--others", "--exclude-standard"];
  const listed = execFileSync("git", argv, { cwd: repositoryRoot, encoding: "utf8" });
  return [...new Set(listed.split("\0"))]
    .filter((path) => path !== "" && existsSync(join(repositoryRoot, path)))
    .sort();
}

/** Paths of the TypeScript files below `src`, sorted. */
export function sourceFiles(): readonly string[] {
  return repositoryFiles().filter((path) => path.startsWith("src/") && path.endsWith(".ts"));
}

/** Text of a file of the repository. */
export function textOf(path: string): string {
  return readFileSync(join(repositoryRoot, path), "utf8");
}
