import { join } from "node:path";
import type { Oid } from "../../base/oid.ts";
import type { GitFailure } from "../../base/ports/repo.ts";
import { fail, ok, type Result } from "../../base/result.ts";
import { fileAsGitFailure, gitFailure } from "../command/git-failure.ts";
import type { GitOptions } from "../command/git.ts";
import { decodedText, entriesOf } from "../command/raw-output.ts";
import { isTreePath } from "../command/tree-paths.ts";
import { keepPlainContents } from "../lfs/plain-contents.ts";
import { passOver } from "../lfs/pass-over.ts";
import {
  conversionsOf,
  mayConvert,
  settleUnchanged,
  unchangedAmong,
  type WorkTree,
} from "./conversions.ts";

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
  tree: WorkTree,
  { variables, leaves }: StageOptions = {},
): Promise<Result<Staged, GitFailure>> {
  const { git } = tree;
  const options = { variables, encoding: "latin1" as const };
  const entries = await statusOf(tree, options);
  if (!entries.ok) return entries;
  const changed = await reallyChanged(tree, entries.value, { variables, leaves });
  if (!changed.ok) return changed;
  // Among untracked entries, only a repository ends in a slash.
  const paths = changed.value.map((entry) => entry.slice(3)).filter((path) => !path.endsWith("/"));
  if (paths.length === 0) return ok(changed.value.length === 0 ? "clean" : "skipped");
  const plain = keepPlainContents(tree.context, tree.directory);
  if (!plain.ok) return fail(fileAsGitFailure("lfs", plain.failure));
  const stdin = paths.map((path) => `${path}\0`).join("");
  const update = ["update-index", "--add", "--remove", "--replace", "-z", "--stdin"];
  const staged = await git.must(update, { ...options, stdin });
  return staged.ok ? ok("staged") : staged;
}

/** The entries of a status. An index with paths that no work tree can have was made by hand, and is made again. */
async function statusOf(
  { git, directory, context }: WorkTree,
  options: Pick<GitOptions, "variables" | "encoding">,
): Promise<Result<readonly string[], GitFailure>> {
  const args = ["status", "--porcelain=v1", "-z", "--no-renames", "--untracked-files=all"];
  const printed = await git.must([...args, "--ignore-submodules=all"], options);
  if (!printed.ok) return printed;
  const entries = entriesOf(printed.value);
  const isPossible = (entry: string) => isTreePath(entry.slice(3).replace(/\/$/u, ""));
  if (options.variables !== undefined || entries.every(isPossible)) return ok(entries);
  context.directories.removeTree(join(directory, ".git", "index"));
  const read = await git.must(["read-tree", "HEAD"]);
  if (!read.ok) return read;
  const again = await git.must([...args, "--ignore-submodules=all"], options);
  return again.ok ? ok(entriesOf(again.value)) : again;
}

/** How a work tree is staged. */
interface StageOptions extends Pick<GitOptions, "variables"> {
  /** Filters that only an engine's git runs: what was left for them is not staged, but a failure. Absent: it is staged. */
  readonly leaves?: (() => Promise<Result<readonly string[], GitFailure>>) | undefined;
}

/** The entries of a status without those of files that git would only convert. */
export async function reallyChanged(
  tree: WorkTree,
  entries: readonly string[],
  { variables, leaves }: StageOptions = {},
): Promise<Result<readonly string[], GitFailure>> {
  const there = entries.filter((entry) => !entry.endsWith("/") && entry.charAt(1) !== "D");
  const isNew = there.some((entry) => /(?:^|\/)\.gitattributes$/iu.test(entry.slice(3)));
  if (there.length === 0 || (!isNew && !mayConvert(tree))) return ok(entries);
  const paths = there.map((entry) => entry.slice(3));
  const conversions = await conversionsOf(tree, paths);
  if (!conversions.ok) return conversions;
  const modified = there.filter((entry) => entry.charAt(1) === "M").map((entry) => entry.slice(3));
  const unchanged = await unchangedAmong(tree, conversions.value, { paths: modified, variables });
  if (!unchanged.ok) return unchanged;
  const settled =
    variables === undefined ? await settleUnchanged(tree, unchanged.value) : ok(undefined);
  if (!settled.ok) return settled;
  const skipped = new Set([...unchanged.value.converted, ...unchanged.value.recorded]);
  const filtered = there
    .filter((entry) => entry.charAt(1) !== " " && !skipped.has(entry.slice(3)))
    .flatMap((entry) => {
      const filter = conversions.value.get(entry.slice(3))?.get("filter");
      return filter === undefined ? [] : [{ path: entry.slice(3), filter }];
    });
  const left = filtered.length === 0 || leaves === undefined ? ok([]) : await leaves();
  if (!left.ok) return left;
  const own = filtered.filter(({ filter }) => left.value.includes(filter));
  if (own.length > 0) return fail(gitFailure("commit", tree.directory, leftWords(own)));
  // Staged changes stay, whatever is in the work tree.
  return ok(entries.filter((entry) => entry.charAt(0) !== " " || !skipped.has(entry.slice(3))));
}

/** How a failure begins after which an engine has to commit what it left. */
export const LEFT_FOR_FILTER =
  "what was left uncommitted needs a filter that only your own git runs";
const LEFT_SHOWN_MAX = 5;

function leftWords(left: readonly { readonly path: string; readonly filter: string }[]): string {
  const named = left
    .slice(0, LEFT_SHOWN_MAX)
    .map(({ path, filter }) => `${decodedText(path)} (filter ${filter})`);
  const more = left.length > named.length ? ` and ${String(left.length - named.length)} more` : "";
  return `${LEFT_FOR_FILTER}: ${named.join(", ")}${more}. Commit such files yourself`;
}

/**
 * Writes a work tree as a tree object, using a separate index at `index`: the clone's own may be
 * locked or half written, and stays unchanged. Starts from the tree of `from`, or from an empty
 * one.
 */
export async function treeOfWork(
  tree: WorkTree,
  { index, from }: { readonly index: string; readonly from: Oid | undefined },
): Promise<Result<Oid, GitFailure>> {
  const {
    git,
    context: { directories },
  } = tree;
  const variables = { GIT_INDEX_FILE: index };
  for (const path of [index, `${index}.lock`]) directories.removeTree(path);
  const read = await git.must(["read-tree", from ?? "--empty"], { variables });
  if (!read.ok) return read;
  const known = await passOver(tree, index);
  if (!known.ok) return known;
  const staged = await stageAll(tree, { variables });
  if (!staged.ok) return staged;
  const written = await git.oid(["write-tree"], { variables });
  directories.removeTree(index);
  return written;
}
