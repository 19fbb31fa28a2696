import { join } from "node:path";
import {
  SHARED_FILE_BYTES_MIN,
  SHARED_FILES_AT_ONCE_MAX,
  SHARED_TREE_BYTES_MIN,
} from "../../base/limits.ts";
import type { GitFailure } from "../../base/ports/repo.ts";
import type { Result } from "../../base/result.ts";
import { locateGitDirectory } from "../command/git-directory.ts";
import { entriesOf } from "../command/raw-output.ts";
import type { CloneRepo } from "./clone-repo.ts";
import { settleCheckout } from "../repository/work-tree.ts";
import { checkoutBytes } from "./rest-clone.ts";

/** A file of a commit that the user's work tree may have, too, with the same bytes. */
interface CommittedBlob {
  readonly path: string;
  readonly bytes: number;
  readonly isExecutable: boolean;
}

/**
 * Writes the files of HEAD into the work tree of a new clone, which has none yet. Where the file system can share
 * contents, large ones take no room of their own: they are taken from the user's work tree, and git reads each and
 * writes again whatever is not exactly what the commit has.
 */
export async function fillWorkTree(repo: CloneRepo): Promise<Result<void, GitFailure>> {
  await shareWithHub(repo);
  const filled = await repo.git.act(["reset", "--hard", "--quiet"]);
  return filled.ok ? settleCheckout(repo) : filled;
}

/** Whatever goes wrong here is left to git, which then writes the file itself. */
async function shareWithHub(repo: CloneRepo): Promise<void> {
  const { git, hub, context } = repo;
  if (checkoutBytes(context, hub.directory) < SHARED_TREE_BYTES_MIN) return;
  if (!(await canShare(repo))) return;
  // git refuses the tree if a path leads out of the clone or into its `.git`.
  if (!(await git.act(["read-tree", "HEAD"])).ok) return;
  const blobs = await sharable(repo);
  for (let start = 0; start < blobs.length; start += SHARED_FILES_AT_ONCE_MAX) {
    const some = blobs.slice(start, start + SHARED_FILES_AT_ONCE_MAX);
    await Promise.all(some.map((blob) => share(repo, blob)));
  }
  // Reads all these files, and notes which ones are what the commit has. Its exit code is 1 if some are not.
  await git.run(["update-index", "--refresh", "-q"]);
}

/** Whether the file system can share contents between the user's work tree and the clone, tried with one file. */
async function canShare({ hub, context, location }: CloneRepo): Promise<boolean> {
  const { files, directories } = context;
  const theirs = locateGitDirectory(files, hub.directory);
  if (theirs === undefined) return false;
  const to = join(location.gitDirectory, "wisp-shared");
  const from = join(theirs.gitDirectory, "index");
  const shared = await directories.shareFile(from, to, { isExecutable: false });
  return shared.ok && directories.removeTree(to).ok;
}

/** The regular files of HEAD that are worth it, and that a checkout writes as they are in the commit. */
async function sharable({ git }: CloneRepo): Promise<readonly CommittedBlob[]> {
  const listed = await git.ask(["ls-tree", "-r", "-l", "-z", "HEAD"]);
  const blobs = entriesOf(listed ?? "").flatMap(blobOf);
  if (blobs.length === 0) return [];
  const stdin = blobs.map(({ path }) => `${path}\0`).join("");
  const words = ["check-attr", "--cached", "-z", "--stdin", ...CONVERSIONS];
  const printed = await git.ask(words, { stdin });
  if (printed === undefined) return [];
  const converted = convertedIn(printed);
  return blobs.filter(({ path }) => !converted.has(path));
}

/** The attributes with which a checkout writes other bytes than the commit has, even of the same number. */
const CONVERSIONS = ["filter", "ident", "eol", "working-tree-encoding"] as const;

/** The paths with one of these attributes, in the output of `check-attr -z`: path, attribute, value. */
function convertedIn(printed: string): ReadonlySet<string> {
  const fields = printed.split("\0");
  const paths = new Set<string>();
  for (let at = 0; at + 2 < fields.length; at += 3) {
    const [path = "", , value = ""] = fields.slice(at, at + 3);
    if (value !== "unspecified" && value !== "unset") paths.add(path);
  }
  return paths;
}

/** Parses a line of `ls-tree -l`. A path that is not UTF-8 is left to git. */
function blobOf(line: string): readonly CommittedBlob[] {
  const found = /^(?<mode>100644|100755) blob [0-9a-f]+ +(?<size>\d+)\t(?<path>.+)$/su.exec(line);
  const { mode, size, path } = found?.groups ?? {};
  if (path === undefined || path.includes("\uFFFD")) return [];
  const bytes = Number(size);
  return bytes < SHARED_FILE_BYTES_MIN ? [] : [{ path, bytes, isExecutable: mode === "100755" }];
}

/** Gives the clone this file if the user has one there. */
async function share(
  { hub, directory, context }: CloneRepo,
  { path, bytes, isExecutable }: CommittedBlob,
): Promise<void> {
  const [from, to] = [join(hub.directory, path), join(directory, path)];
  const shared = await context.directories.shareFile(from, to, { isExecutable });
  if (!shared.ok) return;
  // Another size means other bytes, although git might count line endings as the same.
  if (context.files.stat(to)?.sizeBytes !== bytes) context.directories.removeTree(to);
}
