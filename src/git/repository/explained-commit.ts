import { Oid } from "../../base/oid.ts";
import type { GitFailure } from "../../base/ports/repo.ts";
import type { Result } from "../../base/result.ts";
import { type UserContext, userGit } from "../command/git.ts";
import { assertOids, printedOid } from "../command/object-ids.ts";
import { entriesOf, linesOf } from "../command/raw-output.ts";

/** The parts of a commit that explain it, as git stores them: not cleaned. */
export interface ExplainedCommit {
  readonly subject: string;
  readonly author: string;
  /** When it was written, in ISO 8601. */
  readonly time: string;
  /** The paths that it changes; for a merge, those that differ from its first parent. */
  readonly files: readonly string[];
}

/** The shortest prefix of an object id that git accepts. */
const PREFIX = /^[0-9a-f]{4,64}$/iu;

/** Objects that are looked at when a prefix is ambiguous. */
const CANDIDATES_MAX = 100;

/**
 * The commits that a revision may mean, such as `HEAD~2`, a branch, or the beginning of an id: none, one, or several if
 * it is the beginning of several ids.
 *
 * @param directory a folder of the work tree whose HEAD is meant
 */
export async function commitsNamed(
  context: UserContext,
  directory: string,
  revision: string,
): Promise<readonly Oid[]> {
  // An argument of a program cannot contain NUL.
  if (revision === "" || revision.includes("\0")) return [];
  const git = userGit(context, directory);
  const named = `${revision}^{commit}`;
  const found = await git.ask(["rev-parse", "--verify", "--quiet", "--end-of-options", named]);
  const oid = Oid.safeParse(found?.trim());
  if (oid.success) return [oid.data];
  if (!PREFIX.test(revision)) return [];
  const all = await git.ask(["rev-parse", `--disambiguate=${revision.toLowerCase()}`]);
  const candidates = linesOf(all ?? "").slice(0, CANDIDATES_MAX);
  if (candidates.length === 0) return [];
  const format = "--batch-check=%(objectname) %(objecttype)";
  const kinds = await git.ask(["cat-file", format], { stdin: `${candidates.join("\n")}\n` });
  return linesOf(kinds ?? "").flatMap((line) => {
    const [id = "", kind] = line.split(" ");
    return kind === "commit" ? [id] : [];
  });
}

/** What git says of a commit; undefined if it does not have it. */
export async function explainedCommit(
  context: UserContext,
  directory: string,
  sha: Oid,
): Promise<ExplainedCommit | undefined> {
  assertOids(sha);
  const git = userGit(context, directory);
  const format = "--format=%s%x00%an%x00%aI";
  const told = await git.ask(["log", "-1", "--no-color", "--no-show-signature", format, sha, "--"]);
  if (told === undefined) return undefined;
  const [subject = "", author = "", time = ""] = told.trimEnd().split("\0");
  const show = ["diff-tree", "--root", "-r", "-m", "--first-parent", "--no-commit-id"];
  const names = await git.ask([...show, "--no-renames", "--name-only", "-z", sha, "--"]);
  return { subject, author, time, files: entriesOf(names ?? "") };
}

/** The commit that last changed a line of a file, as of another commit. */
export async function lineChangedIn(
  context: UserContext,
  directory: string,
  { at, file, line }: { readonly at: Oid; readonly file: string; readonly line: number },
): Promise<Result<Oid, GitFailure>> {
  assertOids(at);
  const range = `${String(line)},${String(line)}`;
  const told = await userGit(context, directory).must([
    ...["blame", "--porcelain", "--no-textconv", "-L", range],
    ...[at, "--", file],
  ]);
  if (!told.ok) return told;
  const [first = ""] = told.value.split(" ", 1);
  return printedOid(first, directory);
}
