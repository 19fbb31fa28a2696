import type { Oid } from "../../base/oid.ts";
import type { GitFailure } from "../../base/ports/repo.ts";
import { ok, type Result } from "../../base/result.ts";
import { userEnvironment, type GitContext } from "../command/git-environment.ts";
import { gitIn } from "../command/git.ts";
import { assertOids, printedOids } from "../command/object-ids.ts";
import type { CommitRange } from "./range-summary.ts";

/** A commit, and the paths that differ from its first parent: also those that it removes. */
export interface TouchingCommit {
  readonly sha: Oid;
  /** As git has them, not cleaned. */
  readonly paths: readonly string[];
}

type Context = Pick<GitContext, "environment">;

/** The commits of a range with what each touches, the oldest first; what a merge brings is the merge's. */
export async function touchedPaths(
  { environment }: Context,
  { directory, base, head }: CommitRange,
): Promise<Result<readonly TouchingCommit[], GitFailure>> {
  assertOids(base, head);
  const git = gitIn(directory, userEnvironment(environment, directory));
  const range = [`${base}..${head}`, "--"];
  const listed = await git.must([
    "rev-list",
    "--reverse",
    "--topo-order",
    "--first-parent",
    ...range,
  ]);
  if (!listed.ok) return listed;
  const shas = printedOids(listed.value, git);
  if (!shas.ok) return shas;
  const printed = await git.must([
    ...["log", "--reverse", "--topo-order", "--first-parent", "-m", "--no-renames", "--no-color"],
    ...["--no-ext-diff", "--no-textconv", "--name-only", "-z", `--format=${MARK}%H`, ...range],
  ]);
  return printed.ok ? ok(commitsOf(printed.value, shas.value)) : printed;
}

/** Before the id of a commit; no path of that commit can name it, because the id is of its paths, too. */
const MARK = "%x01";

function commitsOf(printed: string, shas: readonly Oid[]): readonly TouchingCommit[] {
  const commits: { sha: Oid; paths: string[] }[] = [];
  for (const field of printed.split("\0")) {
    const next = shas[commits.length];
    const current = commits.at(-1);
    // A line break stands before the first path, and may begin any other.
    const path = current?.paths.length === 0 ? field.replace(/^\n/, "") : field;
    if (next !== undefined && field === `\u0001${next}`) commits.push({ sha: next, paths: [] });
    else if (path !== "") current?.paths.push(path);
  }
  return commits;
}

/** A file as a commit has it, and as its first parent has it; undefined: none, or no text of that size. */
export async function fileAround(
  { environment }: Context,
  directory: string,
  { sha, path }: { readonly sha: Oid; readonly path: string },
): Promise<{ readonly before: string | undefined; readonly after: string | undefined }> {
  assertOids(sha);
  const git = gitIn(directory, userEnvironment(environment, directory));
  const show = async (at: string): Promise<string | undefined> => {
    const shown = await git.run(["cat-file", "blob", `${at}:${path}`]);
    return shown.ok && shown.value.exitCode === 0 ? shown.value.stdout : undefined;
  };
  return { before: await show(`${sha}^`), after: await show(sha) };
}
