import type { Oid } from "../../base/oid.ts";
import type { GitFailure } from "../../base/ports/repo.ts";
import { fail, ok, type Result } from "../../base/result.ts";
import { shown } from "../../base/words/shown.ts";
import type { CloneRepo } from "../clone/clone-repo.ts";
import { hasCommit } from "../clone/history.ts";
import { gitFailure } from "../command/git-failure.ts";
import { decodedText, entriesOf } from "../command/raw-output.ts";
import { entriesOfTree } from "../command/read-object.ts";
import { isTreeName, isTreePath } from "../command/tree-paths.ts";
import { newObjects } from "../repository/copy-objects.ts";

/**
 * Why the commits of a range can be no part of a branch: they have a path that no work tree can have, such as
 * `../file` or `.git/config`, which git itself never commits, and checks out nowhere. Undefined if they have none.
 * Starts no process for a few commits that are not packed.
 */
export async function impossiblePath(
  repo: CloneRepo,
  range: { readonly from: Oid; readonly to: Oid },
): Promise<Result<string | undefined, GitFailure>> {
  const objects = newObjects(repo.context.files, repo.location, range);
  if (objects === undefined) return askForPaths(repo, range);
  for (const [oid, { kind, content }] of objects) {
    const entries = kind === "tree" ? (entriesOfTree(content, oid) ?? []) : [];
    const found = entries.find(({ name }) => !isTreeName(name));
    if (found !== undefined) return ok(reasonOf(found.name));
  }
  return ok(undefined);
}

const WORDS = ["log", "-m", "--no-renames", "--name-only", "-z", "--format="];

async function askForPaths(
  repo: CloneRepo,
  { from, to }: { readonly from: Oid; readonly to: Oid },
): Promise<Result<string | undefined, GitFailure>> {
  // Then the branch has moved on, and nothing is published before the clone has that, too.
  if (!(await hasCommit(repo, from))) return ok(undefined);
  const range = `${from}..${to}`;
  const printed = await repo.git.run([...WORDS, range, "--"], { encoding: "latin1" });
  if (!printed.ok) return printed;
  const { exitCode, stdout, stderr } = printed.value;
  // git walks no tree with a name that is empty.
  if (/empty filename in tree/u.test(stderr)) return ok(reasonOf(""));
  if (exitCode !== 0) return fail(gitFailure("publish", repo.directory, stderr));
  const paths = entriesOf(stdout).map((path) => path.replace(/^\n+/u, ""));
  const found = paths.find((path) => path !== "" && !isTreePath(path));
  return ok(found === undefined ? undefined : reasonOf(found));
}

function reasonOf(path: string): string {
  const name = shown(decodedText(path));
  return `the commits have a path that git checks out nowhere: "${name}". Make them again without it, by git add and git commit`;
}
