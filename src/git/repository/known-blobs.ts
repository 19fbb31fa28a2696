import { execFileSync } from "node:child_process";
import { OVERRIDES, userEnvironment, type GitContext } from "../command/git-environment.ts";

/** Longest time for a lookup in the pack indexes: the caller blocks until it ends. */
const ASKED_MS_MAX = 10_000;
const OUTPUT_BYTES_MAX = 16 * 1024 * 1024;

/**
 * Of these ids of blobs, those that a repository of the person's has; none where it cannot be asked. Not in a
 * promise, for what a sandbox shows is decided in one go.
 */
export function blobsIn(
  { environment }: Pick<GitContext, "environment">,
  directory: string,
  ids: readonly string[],
): ReadonlySet<string> {
  const settings = OVERRIDES.flatMap((setting) => ["-c", setting]);
  const args = [...settings, "cat-file", "--batch-check=%(objectname) %(objecttype)"];
  try {
    const printed = execFileSync("git", args, {
      cwd: directory,
      // Objects that are elsewhere are not fetched for a look.
      env: { ...userEnvironment(environment, directory), GIT_NO_LAZY_FETCH: "1" },
      input: ids.map((id) => `${id}\n`).join(""),
      encoding: "utf8",
      stdio: ["pipe", "pipe", "ignore"],
      timeout: ASKED_MS_MAX,
      maxBuffer: OUTPUT_BYTES_MAX,
    });
    const blobs = printed.split("\n").filter((line) => line.endsWith(" blob"));
    return new Set(blobs.map((line) => line.slice(0, -" blob".length)));
  } catch {
    return new Set();
  }
}
