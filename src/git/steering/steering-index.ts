import { join } from "node:path";
import type { GitFailure } from "../../base/ports/repo.ts";
import { fail, ok, type Result } from "../../base/result.ts";
import { fileAsGitFailure } from "../command/git-failure.ts";
import { decodedText, entriesOf } from "../command/raw-output.ts";
import { entriesInIndex } from "../repository/index-file.ts";
import { INDEX_BYTES_MAX } from "../repository/work-tree.ts";
import type { SteeredClone } from "./steering-place.ts";
import { steeringRoot } from "./steering-paths.ts";

/** A file that the index of a clone lists. */
export interface ListedFile {
  readonly oid: string;
  /** Such as `100644`. */
  readonly mode: string;
}

/** What an index lists, as far as this needs it. */
export interface ListedFiles {
  /** All paths, decoded. */
  readonly files: ReadonlyMap<string, ListedFile>;
  /** The paths of those that steer agents, as bytes with one character each, as git is told them. */
  readonly steering: readonly string[];
}

/**
 * Reads the index of a clone; asks git only about one in another format.
 *
 * @param hashBytes the length of the repository's object ids
 */
export async function listedFiles(
  clone: SteeredClone,
  hashBytes: number,
): Promise<Result<ListedFiles, GitFailure>> {
  const { context, directory, git } = clone;
  const read = context.files.read(join(directory, ".git", "index"), INDEX_BYTES_MAX);
  if (read.ok && read.value === undefined) return ok({ files: new Map(), steering: [] });
  const entries = read.ok && read.value && entriesInIndex(read.value, hashBytes, () => true);
  if (entries) {
    return ok(
      listed(
        entries.map(({ path, oid, mode }) => [path, { oid, mode: mode.toString(8) }] as const),
      ),
    );
  }
  const printed = await git.must(["ls-files", "-s", "-z"], { encoding: "latin1" });
  if (!printed.ok) return printed;
  return ok(
    listed(
      entriesOf(printed.value).flatMap((line) => {
        const [, mode, oid, path] = /^(\d+) ([0-9a-f]+) \d\t(.+)$/su.exec(line) ?? [];
        if (mode === undefined || oid === undefined || path === undefined) return [];
        return [[path, { oid, mode }] as const];
      }),
    ),
  );
}

function listed(entries: readonly (readonly [string, ListedFile])[]): ListedFiles {
  const steering = entries.map(([path]) => path).filter((path) => steeringRoot(path));
  return {
    files: new Map(entries.map(([path, file]) => [decodedText(path), file])),
    steering: [...new Set(steering)],
  };
}

/** Marks the files that steer agents in the index, so that git leaves them alone, or removes these marks. */
export function markSteering(
  { git }: SteeredClone,
  { steering }: ListedFiles,
  mark: "--skip-worktree" | "--no-skip-worktree",
): Promise<Result<void, GitFailure>> {
  if (steering.length === 0) return Promise.resolve(ok(undefined));
  const stdin = steering.map((path) => `${path}\0`).join("");
  return git.act(["update-index", mark, "-z", "--stdin"], { stdin, encoding: "latin1" });
}

/** Writes a text in the `.git` of a clone, over whatever is in its place. */
export function putInGit(
  { context: { files, directories }, directory }: SteeredClone,
  name: string,
  text: string,
): Result<void, GitFailure> {
  const path = join(directory, ".git", name);
  if (directories.kindOf(path) !== "file") {
    const removed = directories.removeTree(path);
    if (!removed.ok) return fail(fileAsGitFailure("steer", removed.failure));
  }
  const made = files.makeDirectory(join(path, ".."));
  const written = made.ok ? files.replace(path, Buffer.from(text)) : made;
  return written.ok ? ok(undefined) : fail(fileAsGitFailure("steer", written.failure));
}
