import type { Oid } from "../base/oid.ts";
import type { GitFailure, TreeLine } from "../base/repo.ts";
import { fail, ok, type Result } from "../base/result.ts";
import type { CloneRepo } from "./clone-repo.ts";
import { gitFailure } from "./git-failure.ts";
import { assertOids } from "./object-ids.ts";

/** The paths of all files of a commit; a name that is not UTF-8 holds U+FFFD. */
export async function pathsAt(
  repo: CloneRepo,
  at: Oid,
): Promise<Result<readonly string[], GitFailure>> {
  assertOids(at);
  const listed = await repo.git.must(["ls-tree", "-r", "-z", "--name-only", "--full-tree", at]);
  return listed.ok ? ok(listed.value.split("\0").filter((path) => path !== "")) : listed;
}

/**
 * The lines of a commit's text files of these names (`*.py`, at any depth) that match an extended regular
 * expression, in the order of the files.
 */
export async function linesLike(
  repo: CloneRepo,
  at: Oid,
  { pattern, names }: { readonly pattern: string; readonly names: readonly string[] },
): Promise<Result<readonly TreeLine[], GitFailure>> {
  assertOids(at);
  const args = ["grep", "-z", "-I", "-E", "--no-color", "--full-name", "-e", pattern, at, "--"];
  const found = await repo.git.run([...args, ...names]);
  if (!found.ok) return found;
  const { exitCode, stdout, stderr } = found.value;
  // 1: there is no such line.
  if (exitCode > 1) return fail(gitFailure("grep", repo.directory, stderr));
  return ok(
    stdout.split("\n").flatMap((printed) => {
      const end = printed.indexOf("\0");
      // It names the commit first.
      return end === -1
        ? []
        : [{ path: printed.slice(at.length + 1, end), text: printed.slice(end + 1) }];
    }),
  );
}
