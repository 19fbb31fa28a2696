import type { Oid } from "../../base/oid.ts";
import type { GitFailure } from "../../base/ports/repo.ts";
import { ok, type Result } from "../../base/result.ts";
import { isAncestor } from "../clone/clone-repo.ts";
import { type UserContext, userGit } from "../command/git.ts";
import { assertOids } from "../command/object-ids.ts";
import { linesOf } from "../command/raw-output.ts";
import { execFileSync } from "node:child_process";
import { OVERRIDES, userEnvironment } from "../command/git-environment.ts";

/** The commits among `oids` that a repository has, on any branch or none; runs a single process. */
export async function knownCommits(
  context: UserContext,
  directory: string,
  oids: readonly Oid[],
): Promise<Result<ReadonlySet<Oid>, GitFailure>> {
  if (oids.length === 0) return ok(new Set());
  assertOids(...oids);
  const git = userGit(context, directory);
  const stdin = oids.map((oid) => `${oid}\n`).join("");
  const printed = await git.must(["cat-file", "--batch-check=%(objectname) %(objecttype)"], {
    stdin,
  });
  if (!printed.ok) return printed;
  return ok(namedAs("commit", printed.value));
}

/** Whether the history of `holder` contains `commit` in the user's repository; false if either is missing. */
export async function holdsCommit(
  context: UserContext,
  directory: string,
  { commit, holder }: { readonly commit: Oid; readonly holder: Oid },
): Promise<boolean> {
  assertOids(commit, holder);
  return isAncestor(userGit(context, directory), commit, holder);
}

/** Whether HEAD of the user's work tree contains a commit; false if nothing has been committed yet. */
export async function isInHead(
  context: UserContext,
  directory: string,
  commit: Oid,
): Promise<boolean> {
  assertOids(commit);
  const args = ["merge-base", "--is-ancestor", commit, "HEAD"];
  return (await userGit(context, directory).ask(args)) !== undefined;
}

/** The time limit of a lookup in the pack indexes; the caller blocks until it ends. */
const ASKED_MS_MAX = 10_000;
const OUTPUT_BYTES_MAX = 16 * 1024 * 1024;

/**
 * The blobs among `ids` that the user's repository has; empty if git fails. Synchronous, because the sandbox
 * decides what to show in one step.
 */
export function blobsIn(
  { environment }: UserContext,
  directory: string,
  ids: readonly string[],
): ReadonlySet<string> {
  const settings = OVERRIDES.flatMap((setting) => ["-c", setting]);
  const args = [...settings, "cat-file", "--batch-check=%(objectname) %(objecttype)"];
  try {
    const printed = execFileSync("git", args, {
      cwd: directory,
      // Do not fetch missing objects of a partial clone just to look them up.
      env: { ...userEnvironment(environment, directory), GIT_NO_LAZY_FETCH: "1" },
      input: ids.map((id) => `${id}\n`).join(""),
      encoding: "utf8",
      stdio: ["pipe", "pipe", "ignore"],
      timeout: ASKED_MS_MAX,
      maxBuffer: OUTPUT_BYTES_MAX,
    });
    return namedAs("blob", printed);
  } catch {
    return new Set();
  }
}

/** The ids that `cat-file --batch-check` printed with the given type. */
function namedAs(type: "commit" | "blob", printed: string): ReadonlySet<Oid> {
  const named = linesOf(printed).filter((line) => line.endsWith(` ${type}`));
  return new Set(named.map((line) => line.slice(0, -type.length - 1)));
}
