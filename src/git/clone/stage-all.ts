import type { Oid } from "../../base/oid.ts";
import type { Directories } from "../../base/ports/directories.ts";
import type { GitFailure } from "../../base/ports/repo.ts";
import { ok, type Result } from "../../base/result.ts";
import type { Git, GitOptions } from "../command/git.ts";
import { entriesOf } from "../command/raw-output.ts";

/**
 * `clean` means nothing was uncommitted; `skipped`, only nested repositories, which are never
 * staged.
 */
export type Staged = "staged" | "skipped" | "clean";

/**
 * Stages everything that is not ignored, deletions included, and returns whether there was
 * anything.
 *
 * `git add --all` is no option: it starts a git inside every populated submodule, with whatever
 * settings an engine left there; it records a repository that an engine made inside the work tree
 * as a submodule that nobody can fetch; and it stages nothing at all while such a repository has no
 * commit.
 */
export async function stageAll(
  git: Git,
  { variables }: Pick<GitOptions, "variables"> = {},
): Promise<Result<Staged, GitFailure>> {
  const args = ["status", "--porcelain=v1", "-z", "--no-renames", "--untracked-files=all"];
  const options = { variables, encoding: "latin1" as const };
  const printed = await git.must([...args, "--ignore-submodules=all"], options);
  if (!printed.ok) return printed;
  const entries = entriesOf(printed.value);
  // Among untracked entries, only a repository ends in a slash.
  const paths = entries.map((entry) => entry.slice(3)).filter((path) => !path.endsWith("/"));
  if (paths.length === 0) return ok(entries.length === 0 ? "clean" : "skipped");
  const stdin = paths.map((path) => `${path}\0`).join("");
  const update = ["update-index", "--add", "--remove", "--replace", "-z", "--stdin"];
  const staged = await git.must(update, { ...options, stdin });
  return staged.ok ? ok("staged") : staged;
}

/**
 * Writes a work tree as a tree object, using a separate index at `index`: the clone's own may be
 * locked or half written, and stays unchanged. Starts from the tree of `from`, or from an empty
 * one.
 */
export async function treeOfWork(
  git: Git,
  directories: Directories,
  { index, from }: { readonly index: string; readonly from: Oid | undefined },
): Promise<Result<Oid, GitFailure>> {
  const variables = { GIT_INDEX_FILE: index };
  for (const path of [index, `${index}.lock`]) directories.removeTree(path);
  const read = await git.must(["read-tree", from ?? "--empty"], { variables });
  if (!read.ok) return read;
  const staged = await stageAll(git, { variables });
  if (!staged.ok) return staged;
  const tree = await git.oid(["write-tree"], { variables });
  directories.removeTree(index);
  return tree;
}
