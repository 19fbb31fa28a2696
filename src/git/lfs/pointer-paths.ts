import { join } from "node:path";
import { LFS_MISSING_NAMED_MAX } from "./lfs-limits.ts";
import type { GitFailure } from "../../base/ports/repo.ts";
import { fail, ok, type Result } from "../../base/result.ts";
import { cleanText } from "../../base/words/clean-text.ts";
import type { CloneRepo } from "../clone/clone-repo.ts";
import { fileAsGitFailure } from "../command/git-failure.ts";
import type { Git } from "../command/git.ts";
import { decodedText, entriesOf } from "../command/raw-output.ts";
import type { PointerRange, FoundPointer } from "./new-pointers.ts";

/*
 * Where pointers are in the commits of a range. This is asked only of those whose content is not at hand, so that it
 * may take some processes.
 */

const LATIN1 = { encoding: "latin1" } as const;

/** The paths of pointers in any commit of the range. */
export async function pointerPaths(
  git: Git,
  range: PointerRange,
  pointers: readonly FoundPointer[],
): Promise<Result<readonly string[], GitFailure>> {
  const found = await bytePaths(git, range, pointers);
  return found.ok ? ok(found.value.map(decodedText)) : found;
}

/**
 * Those of the paths whose attributes at the range's end say that they are under Git LFS: elsewhere, such as among the
 * samples of a test, the text of a pointer is a text.
 */
export async function lfsPathsOf(
  repo: CloneRepo,
  range: PointerRange,
  pointers: readonly FoundPointer[],
): Promise<Result<readonly string[], GitFailure>> {
  const paths = await bytePaths(repo.git, range, pointers);
  if (!paths.ok || paths.value.length === 0) return paths;
  const index = join(repo.location.gitDirectory, "wisp-lfs-index");
  const { directories } = repo.context;
  const variables = { GIT_INDEX_FILE: index };
  for (const path of [index, `${index}.lock`]) {
    const removed = directories.removeTree(path);
    if (!removed.ok) return fail(fileAsGitFailure("lfs", removed.failure));
  }
  const read = await repo.git.act(["read-tree", range.to], { variables });
  if (!read.ok) return read;
  const stdin = paths.value.map((path) => `${path}\0`).join("");
  const asked = ["check-attr", "--cached", "-z", "--stdin", "filter"];
  const printed = await repo.git.must(asked, { ...LATIN1, stdin, variables });
  directories.removeTree(index);
  if (!printed.ok) return printed;
  // Path, attribute, value.
  const fields = printed.value.split("\0");
  const values = paths.value.map((path, at) => ({ path, value: fields[3 * at + 2] }));
  return ok(values.flatMap(({ path, value }) => (value === "lfs" ? [decodedText(path)] : [])));
}

/** With one character per byte. */
async function bytePaths(
  git: Git,
  { from, to }: PointerRange,
  pointers: readonly FoundPointer[],
): Promise<Result<readonly string[], GitFailure>> {
  const paths = new Set<string>();
  for (const { blob } of pointers) {
    const shown = ["--no-renames", "--diff-filter=d", "--name-only", "-z", "--format="];
    const args = ["log", "-m", ...shown, `--find-object=${blob}`, `${from}..${to}`, "--"];
    const printed = await git.must(args, LATIN1);
    if (!printed.ok) return printed;
    for (const path of entriesOf(printed.value)) paths.add(path.replace(/^\n+/u, ""));
  }
  return ok([...paths]);
}

const PATH_CHARS_MAX = 200;

/** The first few of some paths, for people. */
export function fewPaths(paths: readonly string[]): string {
  const unique = [...new Set(paths)];
  const named = unique
    .slice(0, LFS_MISSING_NAMED_MAX)
    .map((path) => cleanText(path, { charsMax: PATH_CHARS_MAX, lines: "one" }));
  const more = unique.length - named.length;
  return more === 0 ? named.join(", ") : `${named.join(", ")} and ${String(more)} more`;
}
