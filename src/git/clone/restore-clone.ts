import { basename, dirname, join, resolve } from "node:path";
import type { PathKind } from "../../base/ports/directories.ts";
import type { FileFailure } from "../../base/ports/files.ts";
import type { GitFailure } from "../../base/ports/repo.ts";
import { fail, ok, type Result } from "../../base/result.ts";
import { borrowedIn } from "./clone-config.ts";
import { locateGitDirectory, readText } from "../command/git-directory.ts";
import type { GitContext } from "../command/git-environment.ts";
import { fileAsGitFailure, gitFailure } from "../command/git-failure.ts";

/** The parts of a clone's `.git` that wisp controls. */
export interface CloneTruth {
  /** The full text of its configuration, which also says what the clone borrows from wisp's store. */
  readonly config: string;
  /**
   * The top of the user's repository, which decides what else the clone borrows and where its
   * history is cut.
   */
  readonly hub: string;
}

type Context = Pick<GitContext, "files" | "directories">;

/**
 * Far more entries than these folders ever have; each check comes before a command, so it must be
 * quick.
 */
const ENTRIES_MAX = 50_000;

/**
 * Folders in which git, run by wisp, writes or follows names. Loose objects are left out: they are
 * never rewritten.
 */
const CHECKED_FOLDERS = [
  ...["", "objects", "objects/info", "objects/pack", "info"],
  ...["rebase-merge", "rebase-apply", "sequencer"],
  // git-lfs, when it makes a pointer.
  "lfs",
];
/** Where git-lfs stores content, in folders named by the first two bytes of its digest, two levels deep. */
const CONTENTS = "lfs/objects";
const BYTE_NAME = /^[0-9a-f]{2}$/u;
const CHECKED_TREES = ["refs", "logs"];

/**
 * Files that wisp never makes, and that would make git read from elsewhere, run something, or see a
 * false history.
 */
const FOREIGN = [
  ...["commondir", "config.worktree", "info/grafts", "info/attributes"],
  ...["objects/info/http-alternates"],
];

/**
 * Restores the parts of a clone's `.git` that no engine or setup command may change. Otherwise git
 * would run, read or write something elsewhere with wisp's rights (a planted filter,
 * `core.worktree`, a link in place of a reference's log, objects of another repository). It only
 * costs some file reads, so it runs before every command.
 */
export function restoreClone(
  context: Context,
  directory: string,
  { config, hub }: CloneTruth,
): Result<void, GitFailure> {
  const git = join(directory, ".git");
  // A file or a link named `.git` leads to a repository that wisp must not write to.
  if (context.directories.kindOf(git) !== "directory") {
    return fail(gitFailure("open", directory, "the clone has lost its .git directory"));
  }
  const cleaned = removeNotPlain(context, git);
  if (!cleaned.ok) return cleaned;
  const texts: Readonly<Record<string, string | undefined>> = {
    config,
    ...borrowing(context, { config, hub }),
    ...shallowness(context, git, hub),
  };
  const removed = removeAll(context, [
    ...FOREIGN.map((name) => join(git, name)),
    ...Object.entries(texts).flatMap(([name, text]) =>
      text === undefined ? [join(git, name)] : [],
    ),
  ]);
  if (!removed.ok) return fail(fileAsGitFailure("open", removed.failure));
  for (const [name, text] of Object.entries(texts)) {
    const written = text === undefined ? ok(undefined) : putText(context, join(git, name), text);
    if (!written.ok) return fail(fileAsGitFailure("open", written.failure));
  }
  return ok(undefined);
}

/**
 * Removes links, pipes and devices. git makes none in a repository, but writes through links (the
 * log of a branch, the message of a commit) and waits forever on a pipe.
 */
function removeNotPlain(context: Context, git: string): Result<void, GitFailure> {
  const { directories } = context;
  const whole = CHECKED_TREES.map((name) => join(git, name));
  const contents = join(git, CONTENTS);
  const waiting = [...CHECKED_FOLDERS.map((name) => join(git, name)), ...whole, contents];
  let remaining = ENTRIES_MAX;
  for (let folder = waiting.shift(); folder !== undefined; folder = waiting.shift()) {
    if (directories.kindOf(folder) !== "directory") continue;
    const listed = directories.entries(folder);
    if (!listed.ok) return fail(fileAsGitFailure("open", listed.failure));
    const isInContents = folder === contents || dirname(folder) === contents;
    // There are at most 256 such folders in each, so they need no limit.
    remaining -= isInContents
      ? listed.value.filter(({ name }) => !BYTE_NAME.test(name)).length
      : listed.value.length;
    if (remaining < 0) return fail(gitFailure("open", git, "there are too many files in it"));
    const isWhole = whole.some((top) => folder === top || folder.startsWith(`${top}/`));
    const pathsOf = (wanted: PathKind) =>
      listed.value.flatMap(({ name, kind }) => (kind === wanted ? [join(folder, name)] : []));
    const removed = removeAll(context, pathsOf("other"));
    if (!removed.ok) return fail(fileAsGitFailure("open", removed.failure));
    if (isWhole) waiting.push(...pathsOf("directory"));
    if (folder === contents) {
      waiting.push(...pathsOf("directory").filter((path) => BYTE_NAME.test(basename(path))));
    }
  }
  return ok(undefined);
}

function removeAll({ directories }: Context, paths: readonly string[]): Result<void, FileFailure> {
  for (const path of paths) {
    if (directories.kindOf(path) === undefined) continue;
    const removed = directories.removeTree(path);
    if (!removed.ok) return removed;
  }
  return ok(undefined);
}

function putText(
  { files, directories }: Context,
  path: string,
  text: string,
): Result<void, FileFailure> {
  const present = files.read(path);
  const wanted = Buffer.from(text);
  if (present.ok && present.value !== undefined && wanted.equals(present.value)) {
    return ok(undefined);
  }
  directories.removeTree(path);
  return files.replace(path, wanted);
}

type Texts = Readonly<Record<string, string | undefined>>;

/**
 * `alternates`, by absolute paths: what the hub borrows, as `git clone` writes it, and the folder of
 * wisp's store if the clone was made to borrow from it; `undefined` if nothing.
 */
function borrowing({ files }: Context, { config, hub }: CloneTruth): Texts {
  const shared = borrowedIn(config);
  const paths = [...borrowedByHub({ files }, hub), ...(shared === undefined ? [] : [shared])];
  const text = paths.length === 0 ? undefined : paths.map((path) => `${path}\n`).join("");
  return { [ALTERNATES]: text };
}

const ALTERNATES = "objects/info/alternates";

/** The folders of objects from which the user's repository borrows. */
export function borrowedByHub({ files }: Pick<Context, "files">, hub: string): readonly string[] {
  const located = locateGitDirectory(files, hub);
  if (located === undefined) return [];
  const objects = join(located.commonDirectory, "objects");
  const lines = linesIn(readText(files, join(objects, "info", "alternates")));
  return lines.filter((line) => !line.startsWith("#")).map((line) => resolve(objects, line));
}

/**
 * Keeps in `shallow` only the commits at which the hub's history is cut too: others would hide
 * commits.
 */
function shallowness({ files }: Context, git: string, hub: string): Texts {
  const own = textIn(files, join(git, "shallow"));
  if (own === undefined) return {};
  const located = locateGitDirectory(files, hub);
  const cut = located && textIn(files, join(located.commonDirectory, "shallow"));
  const known = new Set(linesIn(cut));
  const kept = linesIn(own).filter((line) => known.has(line));
  return { shallow: kept.length === 0 ? undefined : kept.map((line) => `${line}\n`).join("") };
}

function textIn(files: Context["files"], path: string): string | undefined {
  const read = files.read(path);
  return read.ok && read.value !== undefined ? Buffer.from(read.value).toString("utf8") : undefined;
}

function linesIn(text: string | undefined): readonly string[] {
  return (text ?? "").split("\n").filter((line) => line !== "");
}
