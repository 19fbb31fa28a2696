import type { Oid } from "../../base/oid.ts";
import type { GitFailure } from "../../base/ports/repo.ts";
import { ok, type Result } from "../../base/result.ts";
import { type UserContext, userGit } from "../command/git.ts";
import { assertOids, printedOids } from "../command/object-ids.ts";
import type { CommitRange } from "./diffs.ts";

/** A commit and the paths that differ from its first parent, including deleted ones. */
export interface TouchingCommit {
  readonly sha: Oid;
  /** As git stores them, not cleaned. */
  readonly paths: readonly string[];
}

/** The commits of a range with the paths that each touches, oldest first; a merge touches all that it brings in. */
export async function touchedPaths(
  { environment }: UserContext,
  { directory, base, head }: CommitRange,
): Promise<Result<readonly TouchingCommit[], GitFailure>> {
  assertOids(base, head);
  const git = userGit({ environment }, directory);
  const range = [`${base}..${head}`, "--"];
  const order = ["--reverse", "--topo-order", "--first-parent"];
  const listed = await git.must(["rev-list", ...order, ...range]);
  if (!listed.ok) return listed;
  const shas = printedOids(listed.value, directory);
  if (!shas.ok) return shas;
  const printed = await git.must([
    ...["log", ...order, "-m", "--no-renames", "--no-color"],
    ...["--no-ext-diff", "--no-textconv", "--name-only", "-z", `--format=${MARK}%H`, ...range],
  ]);
  return printed.ok ? ok(commitsOf(printed.value, shas.value)) : printed;
}

/** Precedes a commit's id. No path in that commit can contain the id, because the id is a hash of the paths too. */
const MARK = "%x01";

function commitsOf(printed: string, shas: readonly Oid[]): readonly TouchingCommit[] {
  const commits: { sha: Oid; paths: string[] }[] = [];
  for (const field of printed.split("\0")) {
    const next = shas[commits.length];
    const current = commits.at(-1);
    // A line break precedes the first path; any other path may really start with one.
    const path = current?.paths.length === 0 ? field.replace(/^\n/, "") : field;
    if (next !== undefined && field === `\u0001${next}`) commits.push({ sha: next, paths: [] });
    else if (path !== "") current?.paths.push(path);
  }
  return commits;
}

/** A file as of a commit and of its first parent; `undefined` if it is absent, or too large. */
export async function fileAround(
  { environment }: UserContext,
  directory: string,
  { sha, path }: { readonly sha: Oid; readonly path: string },
): Promise<{ readonly before: string | undefined; readonly after: string | undefined }> {
  assertOids(sha);
  const git = userGit({ environment }, directory);
  const show = (at: string) => git.ask(["cat-file", "blob", `${at}:${path}`]);
  return { before: await show(`${sha}^`), after: await show(sha) };
}
