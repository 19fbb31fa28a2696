import { join } from "node:path";
import type { FileFailure } from "../../base/ports/files.ts";
import type { Oid } from "../../base/oid.ts";
import type { GitFailure } from "../../base/ports/repo.ts";
import { EXIT } from "../../base/exit-code.ts";
import { refusal } from "../../base/failure.ts";
import { fail, ok, type Result } from "../../base/result.ts";
import { count } from "../../base/words/sentence.ts";
import { shellWord } from "../../base/words/shell-word.ts";
import { shown } from "../../base/words/shown.ts";
import { userEnvironment, type GitContext } from "../command/git-environment.ts";
import { gitFailure } from "../command/git-failure.ts";
import { gitIn, type Git, type UserContext, userGit } from "../command/git.ts";
import type { GitOutput } from "../command/git-command.ts";
import { printedOid } from "../command/object-ids.ts";
import { entriesOf, linesOf } from "../command/raw-output.ts";

/** The repository in which a session is started. */
export interface Repository {
  /** The top of the work tree. */
  readonly directory: string;
  /** Holds references and `info/exclude`; outside the work tree if that is a linked one. */
  readonly commonDirectory: string;
  /** The commit checked out, on which the session is based. */
  readonly head: Oid;
}

interface Place {
  readonly directory: string;
}

/** The directory is not inside a repository. */
export const NotARepository = refusal("not-a-repository", EXIT.usage, ({ directory }: Place) => [
  `${shown(directory)} is not in a git repository.`,
  "wisp works on a repository with at least one commit. To make one:",
  "git init",
  "git add --all && git commit --message 'Begin'",
]);
export type NotARepository = ReturnType<typeof NotARepository>;

/** The repository has no work tree. */
export const Bare = refusal("bare", EXIT.usage, ({ directory }: Place) => [
  `${shown(directory)} is a bare git repository.`,
  "wisp keeps a session's files beside the code. Call it in a clone:",
  `git clone ${shellWord(shown(directory))}`,
]);

/** The repository has no commit. */
export const NoCommits = refusal("no-commits", EXIT.usage, ({ directory }: Place) => [
  `The repository ${shown(directory)} has no commit to start from.`,
  "Make the first one:",
  "git add --all && git commit --message 'Begin'",
]);

interface Lacking {
  readonly count: number;
  /** The remote that has them. */
  readonly remote: string;
}

/** Objects of the commit are not in the repository: it is a partial clone, and its sparse checkout never needed them. */
export const ObjectsMissing = refusal(
  "objects-missing",
  EXIT.usage,
  ({ count: many, remote }: Lacking) => [
    `This repository is a partial clone without ${count(many, "object")} of the commit, outside of its sparse checkout.`,
    "wisp builds and tests in copies that have every file. This fetches what is missing, and leaves the checkout sparse:",
    `git fetch --refetch --no-filter ${shellWord(shown(remote))}`,
  ],
);
export type ObjectsMissing = ReturnType<typeof ObjectsMissing>;

export type RepositoryFailure =
  NotARepository | ReturnType<typeof Bare> | ReturnType<typeof NoCommits> | GitFailure;

/** Finds the repository that contains `directory`. */
export async function findRepository(
  context: UserContext,
  directory: string,
): Promise<Result<Repository, RepositoryFailure>> {
  // Unlike other commands, this one searches upwards, as people expect of a command in a subdirectory.
  const { GIT_CEILING_DIRECTORIES: _, ...upwards } = userEnvironment(
    context.environment,
    directory,
  );
  const git = gitIn(directory, upwards);
  const [where, common] = await Promise.all([
    git.run(["rev-parse", "--is-bare-repository", "--is-inside-work-tree", "--show-toplevel"]),
    git.run(["rev-parse", "--git-common-dir", "HEAD"]),
  ]);
  if (!where.ok) return where;
  if (!common.ok) return common;
  const { exitCode, stdout, stderr } = where.value;
  // "dubious ownership" means that there is a repository, and git explains what to do.
  if (exitCode !== 0 && stderr.includes("safe.directory")) {
    return fail(gitFailure("rev-parse", directory, stderr));
  }
  // Without a work tree it prints the first two lines, and fails at the third.
  const [isBare, isInside, ...top] = stdout.split("\n");
  if (isBare === "true" && isInside !== "true") return fail(Bare({ directory }));
  if (exitCode !== 0 || isInside !== "true") return fail(NotARepository({ directory }));
  return describe(git, top.join("\n").replace(/\n$/u, ""), common.value);
}

/**
 * Checks that a partial clone has all files and folders of the commit that is checked out, which it need not have where
 * the checkout is sparse. Nothing is fetched. Where no pack comes from such a remote, no process is started.
 */
export async function needObjects(
  context: GitContext,
  { directory, commonDirectory, head }: Repository,
): Promise<Result<void, ObjectsMissing | GitFailure>> {
  const packs = context.directories.entries(join(commonDirectory, "objects", "pack"));
  const isPartial = packs.ok && packs.value.some(({ name }) => name.endsWith(".promisor"));
  if (!isPartial) return ok(undefined);
  const git = userGit(context, directory);
  const listed = await git.must([...MISSING, `${head}^{tree}`]);
  if (!listed.ok) return listed;
  const missing = linesOf(listed.value).filter((line) => line.startsWith("?")).length;
  if (missing === 0) return ok(undefined);
  const asked = await git.ask(["config", "--get-regexp", String.raw`^remote\..*\.promisor$`]);
  const remote = /^remote\.(.*)\.promisor /u.exec(asked ?? "")?.[1] ?? "origin";
  return fail(ObjectsMissing({ count: missing, remote }));
}

const MISSING = ["rev-list", "--objects", "--no-object-names", "--no-walk", "--missing=print"];

/** Counts the files in the user's work tree that differ from the last commit. */
export async function countUncommitted(
  context: UserContext,
  directory: string,
): Promise<Result<{ readonly changed: number; readonly untracked: number }, GitFailure>> {
  const git = userGit(context, directory);
  const printed = await git.must(["status", "--porcelain=v1", "-z", "--no-renames"]);
  if (!printed.ok) return printed;
  const entries = entriesOf(printed.value);
  const untracked = entries.filter((entry) => entry.startsWith("??")).length;
  return ok({ changed: entries.length - untracked, untracked });
}

/** Adds patterns to `info/exclude`, unless they are already there. */
export function excludeFromGit(
  context: Pick<GitContext, "files">,
  repository: Pick<Repository, "commonDirectory">,
  patterns: readonly string[],
): Result<void, FileFailure> {
  const { files } = context;
  const directory = join(repository.commonDirectory, "info");
  const path = join(directory, "exclude");
  const read = files.read(path);
  if (!read.ok) return read;
  const text = Buffer.from(read.value ?? []).toString("utf8");
  const present = text.split(/\r?\n/u);
  const missing = patterns.filter((pattern) => !present.includes(pattern));
  if (missing.length === 0) return ok(undefined);
  const made = files.makeDirectory(directory);
  if (!made.ok) return made;
  const lines = missing.map((pattern) => `${pattern}\n`).join("");
  // `append` seals a last line without a line break as torn. That suits our logs, not a user's file.
  const isWhole = text === "" || text.endsWith("\n");
  return isWhole
    ? files.append(path, Buffer.from(lines))
    : files.replace(path, Buffer.from(`${text}\n${lines}`));
}

/**
 * @param directory the top of the work tree
 * @param printed the common directory, which may contain line breaks, and then the commit
 */
function describe(
  git: Git,
  directory: string,
  { exitCode, stdout }: GitOutput,
): Result<Repository, RepositoryFailure> {
  const [, common = "", oid = ""] = /^(.*)\n(.+)\n$/su.exec(stdout) ?? [];
  if (exitCode !== 0) return fail(NoCommits({ directory }));
  const head = printedOid(oid, git.directory);
  if (!head.ok) return head;
  // git prints the common directory relative to its working directory.
  const commonDirectory = common.startsWith("/") ? common : join(git.directory, common);
  return ok({ directory, commonDirectory, head: head.value });
}
