import type { Oid } from "../../base/oid.ts";
import type { Environment } from "../../base/ports/processes.ts";
import type { GitFailure } from "../../base/ports/repo.ts";
import { fail, ok, type Result } from "../../base/result.ts";
import { cleanText } from "../../base/words/clean-text.ts";
import { type GitContext, OVERRIDES, userEnvironment } from "../command/git-environment.ts";
import { type UserContext, userGit } from "../command/git.ts";
import { assertOids } from "../command/object-ids.ts";
import { entriesOf } from "../command/raw-output.ts";
import { fileAsGitFailure, gitFailure } from "../command/git-failure.ts";

/** A range of commits in a repository. */
export interface CommitRange {
  readonly directory: string;
  readonly base: Oid;
  readonly head: Oid;
}

/** A file that a range changed; the line counts are absent for a binary file. */
export interface ChangedFile {
  readonly path: string;
  readonly added: number | undefined;
  readonly removed: number | undefined;
}

export interface RangeCommit {
  readonly sha: Oid;
  /** The subject line, cleaned for display. */
  readonly subject: string;
}

const SUBJECT_CHARS_MAX = 200;
/** Keeps the user's configuration from running a program or adding colours. */
const PLAIN = ["--no-ext-diff", "--no-textconv", "--no-color"] as const;

/** The files that a range changed, in git's order. */
export async function changedFiles(
  context: UserContext,
  { directory, base, head }: CommitRange,
): Promise<Result<readonly ChangedFile[], GitFailure>> {
  assertOids(base, head);
  const args = ["diff", ...PLAIN, "--no-renames", "--numstat", "-z", base, head, "--"];
  const printed = await userGit(context, directory).must(args);
  if (!printed.ok) return printed;
  return ok(entriesOf(printed.value).map(changedFile));
}

/** The commits of a range, oldest first. */
export async function rangeCommits(
  context: UserContext,
  { directory, base, head }: CommitRange,
): Promise<Result<readonly RangeCommit[], GitFailure>> {
  assertOids(base, head);
  const printed = await userGit(context, directory).must([
    ...["log", "--reverse", "--topo-order", "--no-color", "-z", "--format=%H %s"],
    ...[`${base}..${head}`, "--"],
  ]);
  if (!printed.ok) return printed;
  return ok(
    entriesOf(printed.value).map((row) => {
      const [sha = "", ...words] = row.split(" ");
      const subject = cleanText(words.join(" "), { charsMax: SUBJECT_CHARS_MAX, lines: "one" });
      return { sha, subject };
    }),
  );
}

/** The changes of a range, as a unified diff. */
export function rangeDiff(
  context: UserContext,
  { directory, base, head }: CommitRange,
): Promise<Result<string, GitFailure>> {
  assertOids(base, head);
  return userGit(context, directory).must(["diff", ...PLAIN, base, head, "--"]);
}

/**
 * The files that a commit changed, with line counts, and its changes as a unified diff; of a merge, those against its
 * first parent. Of a long diff, only about the first `bytesMax` bytes are read.
 */
export async function commitDiff(
  context: UserContext,
  directory: string,
  sha: Oid,
  bytesMax: number,
): Promise<Result<{ readonly diff: string; readonly isWhole: boolean }, GitFailure>> {
  assertOids(sha);
  const show = ["diff-tree", "--root", "-m", "--first-parent", "--no-commit-id"];
  const args = [...show, "--patch-with-stat", ...PLAIN, sha, "--"];
  const printed = await userGit(context, directory).must(args, { cutAtBytes: bytesMax });
  if (!printed.ok) return printed;
  const isWhole = Buffer.byteLength(printed.value) < bytesMax;
  return ok({ diff: printed.value, isWhole });
}

/** The command that shows a range's diff on a terminal, in the user's pager and colours. */
export function pagedDiff(
  { environment }: UserContext,
  { directory, base, head }: CommitRange,
): { readonly argv: [string, ...string[]]; readonly env: Environment } {
  assertOids(base, head);
  const settings = OVERRIDES.flatMap((setting) => ["-c", setting]);
  const quiet = Object.entries(userEnvironment(environment, directory)).filter(
    ([name]) => name !== "GIT_PAGER",
  );
  const own = Object.entries(environment).filter(([name]) => PAGERS.includes(name));
  return {
    argv: ["git", ...settings, "diff", "--no-ext-diff", "--no-textconv", base, head, "--"],
    env: Object.fromEntries([...quiet, ...own]),
  };
}

/** Variables by which a user chooses a pager. */
const PAGERS: readonly string[] = ["GIT_PAGER", "PAGER"];

function changedFile(row: string): ChangedFile {
  const [added = "", removed = "", ...path] = row.split("\t");
  return { path: path.join("\t"), added: lines(added), removed: lines(removed) };
}

function lines(text: string): number | undefined {
  return /^\d+$/.test(text) ? Number(text) : undefined;
}

/** Two files by absolute path; they need not be in a repository. */
export interface FilePair {
  readonly before: string;
  readonly after: string;
}

/** The differences between two files, as a unified diff; empty if there are none. */
export async function diffFiles(
  context: UserContext,
  directory: string,
  { before, after }: FilePair,
): Promise<Result<string, GitFailure>> {
  const git = userGit(context, directory);
  const options = ["--no-index", "--no-ext-diff", "--no-textconv", "--no-color", "--unified=3"];
  const ran = await git.run(["diff", ...options, "--", before, after]);
  if (!ran.ok) return ran;
  const { exitCode, stdout, stderr } = ran.value;
  // Exit code 1 means that the files differ.
  if (exitCode <= 1) return ok(stdout);
  return fail(gitFailure("diff", directory, stderr));
}

/** Which commits to compare, and where to write the diff. */
export interface DiffFile {
  readonly from: Oid;
  readonly to: Oid;
  /** An absolute path; an existing file is replaced. */
  readonly path: string;
}

/** Writes a unified diff of what `to` changed since it diverged from `from`. */
export async function writeDiff(
  context: Pick<GitContext, "environment" | "directories">,
  directory: string,
  { from, to, path }: DiffFile,
): Promise<Result<void, GitFailure>> {
  assertOids(from, to);
  const git = userGit(context, directory);
  const options = ["--no-ext-diff", "--no-textconv", "--no-color", "--unified=3"];
  // An engine can write to this folder, and git would write through a link that it planted there.
  const removed = context.directories.removeTree(path);
  if (!removed.ok) return fail(fileAsGitFailure("diff", removed.failure));
  return git.act(["diff", ...options, `--output=${path}`, `${from}...${to}`, "--"]);
}
