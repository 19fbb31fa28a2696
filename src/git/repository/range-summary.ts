import type { Oid } from "../../base/oid.ts";
import type { Environment } from "../../base/ports/processes.ts";
import type { GitFailure } from "../../base/ports/repo.ts";
import { ok, type Result } from "../../base/result.ts";
import { cleanText } from "../../base/words/clean-text.ts";
import { OVERRIDES, userEnvironment, type GitContext } from "../command/git-environment.ts";
import { gitIn } from "../command/git.ts";
import { assertOids } from "../command/object-ids.ts";

/** What lies between two commits of a repository. */
export interface CommitRange {
  readonly directory: string;
  readonly base: Oid;
  readonly head: Oid;
}

/** A file that a range changed; the counts of lines are absent where it is no text. */
export interface ChangedFile {
  readonly path: string;
  readonly added: number | undefined;
  readonly removed: number | undefined;
}

export interface RangeCommit {
  readonly sha: Oid;
  /** Cleaned. */
  readonly subject: string;
}

const SUBJECT_CHARS_MAX = 200;
/** Nothing of the user's configuration runs a program, or writes colours into text. */
const PLAIN = ["--no-ext-diff", "--no-textconv", "--no-color"] as const;

type Context = Pick<GitContext, "environment">;

/** The files that a range changed, in the order of git. */
export async function changedFiles(
  context: Context,
  { directory, base, head }: CommitRange,
): Promise<Result<readonly ChangedFile[], GitFailure>> {
  assertOids(base, head);
  const printed = await gitOf(context, directory).must([
    ...["diff", ...PLAIN, "--no-renames", "--numstat", "-z", base, head, "--"],
  ]);
  if (!printed.ok) return printed;
  const rows = printed.value.split("\0").filter((row) => row !== "");
  return ok(rows.map(changedFile));
}

/** The commits of a range, oldest first. */
export async function rangeCommits(
  context: Context,
  { directory, base, head }: CommitRange,
): Promise<Result<readonly RangeCommit[], GitFailure>> {
  assertOids(base, head);
  const printed = await gitOf(context, directory).must([
    ...["log", "--reverse", "--topo-order", "--no-color", "-z", "--format=%H %s"],
    ...[`${base}..${head}`, "--"],
  ]);
  if (!printed.ok) return printed;
  const rows = printed.value.split("\0").filter((row) => row !== "");
  return ok(
    rows.map((row) => {
      const [sha = "", ...words] = row.split(" ");
      const subject = cleanText(words.join(" "), { charsMax: SUBJECT_CHARS_MAX, lines: "one" });
      return { sha, subject };
    }),
  );
}

/** What a range changed, as a unified diff. */
export function rangeDiff(
  context: Context,
  { directory, base, head }: CommitRange,
): Promise<Result<string, GitFailure>> {
  assertOids(base, head);
  return gitOf(context, directory).must(["diff", ...PLAIN, base, head, "--"]);
}

/** A command of git that a person looks at, on a terminal: in their pager, with the colours of their settings. */
export function pagedDiff(
  { environment }: Context,
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

/** How a person tells git which pager they like. */
const PAGERS: readonly string[] = ["GIT_PAGER", "PAGER"];

function gitOf({ environment }: Context, directory: string) {
  return gitIn(directory, userEnvironment(environment, directory));
}

function changedFile(row: string): ChangedFile {
  const [added = "", removed = "", ...path] = row.split("\t");
  return { path: path.join("\t"), added: lines(added), removed: lines(removed) };
}

function lines(text: string): number | undefined {
  return /^\d+$/.test(text) ? Number(text) : undefined;
}
