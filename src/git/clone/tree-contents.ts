import type { Oid } from "../../base/oid.ts";
import type {
  ChangedPath,
  CommittedText,
  GitFailure,
  TextBounds,
  TreeLine,
} from "../../base/ports/repo.ts";
import { fail, ok, type Result } from "../../base/result.ts";
import { keep, type CloneMemory, type CloneRepo } from "./clone-repo.ts";
import { gitFailure } from "../command/git-failure.ts";
import { assertOids } from "../command/object-ids.ts";
import { TreeReader } from "../command/read-tree.ts";
import { entriesOf, parseBatch } from "../command/raw-output.ts";

/** The paths of all files in a commit. Bytes of a name that are not UTF-8 become U+FFFD. */
export async function pathsAt(
  repo: CloneRepo,
  at: Oid,
): Promise<Result<readonly string[], GitFailure>> {
  assertOids(at);
  const known = knownPaths(repo.memory, at);
  if (known !== undefined) return ok(known);
  const read = new TreeReader(repo.context.files, repo.location).filesAt(at);
  if (read !== undefined)
    return ok(
      keepPaths(
        repo.memory,
        at,
        read.map(({ path }) => path),
      ),
    );
  const listed = await repo.git.must(["ls-tree", "-r", "-z", "--name-only", "--full-tree", at]);
  if (!listed.ok) return listed;
  return ok(keepPaths(repo.memory, at, entriesOf(listed.value)));
}

function keepPaths({ paths }: CloneMemory, at: Oid, found: readonly string[]): readonly string[] {
  if (found.length <= LISTED_MAX) keep(paths, at, found, LISTS_MAX);
  return found;
}

/** The paths, if they are remembered, or those of another commit and what changed since. */
function knownPaths(memory: CloneMemory, at: Oid): readonly string[] | undefined {
  const known = memory.paths.get(at);
  if (known !== undefined) return known;
  for (const [other, paths] of memory.paths) {
    const changed = memory.changes.get(`${other} ${at}`);
    if (changed?.every(isPlain) === true) return keepPaths(memory, at, changedTo(paths, changed));
  }
  return undefined;
}

function changedTo(paths: readonly string[], changed: readonly ChangedPath[]): readonly string[] {
  const withStatus = (wanted: ChangedPath["status"]) =>
    changed.filter(({ status }) => status === wanted).map(({ path }) => path);
  const deleted = new Set(withStatus("deleted"));
  const kept = paths.filter((path) => !deleted.has(path));
  return [...kept, ...withStatus("added")].sort(inGitsOrder);
}

/** Whether a change tells the whole of what it does to the list: a rename does not name the old path. */
function isPlain({ status, path }: ChangedPath): boolean {
  const isComplete = status === "added" || status === "deleted" || status === "modified";
  // Of two names that are not UTF-8, both may be read as the same one.
  return isComplete && !path.includes("\uFFFD");
}

/** git sorts paths by their bytes. */
function inGitsOrder(one: string, other: string): number {
  return Buffer.compare(Buffer.from(one), Buffer.from(other));
}

/** How many lists of paths are remembered, and how long each may be. */
const LISTS_MAX = 8;
const LISTED_MAX = 10_000;

/**
 * The lines that match an extended regular expression, in a commit's text files with the given
 * names (`*.py`, at any depth), in the order of the files.
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
  // Exit code 1 means that no line matched.
  if (exitCode > 1) return fail(gitFailure("grep", repo.directory, stderr));
  return ok(
    stdout.split("\n").flatMap((printed) => {
      const end = printed.indexOf("\0");
      // Each line starts with the commit and a colon.
      return end === -1
        ? []
        : [{ path: printed.slice(at.length + 1, end), text: printed.slice(end + 1) }];
    }),
  );
}

/** `<mode> blob <oid> <bytes>`, then a tab and the path; regular files only, no links. */
const LISTED_FILE = /^100\d+ blob ([0-9a-f]+) +(\d+)\t(.+)$/su;

interface ListedFile {
  readonly path: string;
  readonly oid: Oid;
  readonly sizeBytes: number;
}

/**
 * Files of a commit with their contents, within bounds. Runs two commands, whatever the number of
 * files.
 */
export async function textsAt(
  repo: CloneRepo,
  at: Oid,
  bounds: TextBounds,
): Promise<Result<readonly CommittedText[], GitFailure>> {
  assertOids(at);
  const latin1 = { encoding: "latin1" } as const;
  const listed = await repo.git.must(["ls-tree", "-r", "-l", "-z", "--full-tree", at], latin1);
  if (!listed.ok) return listed;
  const files = withinBounds(listed.value.split("\0").flatMap(listedFile), bounds);
  const stdin = files.map(({ oid }) => `${oid}\n`).join("");
  const printed = await repo.git.must(["cat-file", "--batch"], { ...latin1, stdin });
  if (!printed.ok) return printed;
  const blobs = parseBatch(printed.value);
  const texts: CommittedText[] = [];
  for (const { path, oid } of files) {
    const text = blobs.get(oid);
    // Somebody removed it between the two commands.
    if (text === undefined) return fail(gitFailure("cat-file", repo.directory, `${oid} is gone`));
    texts.push({ path, bytes: Buffer.from(text, "latin1") });
  }
  return ok(texts);
}

function listedFile(line: string): readonly ListedFile[] {
  const [, oid, bytes, path] = LISTED_FILE.exec(line) ?? [];
  if (oid === undefined || path === undefined) return [];
  return [{ path: Buffer.from(path, "latin1").toString(), oid, sizeBytes: Number(bytes) }];
}

function withinBounds(
  files: readonly ListedFile[],
  { filesMax, fileBytesMax, allBytesMax }: TextBounds,
): readonly ListedFile[] {
  let remainingBytes = allBytesMax;
  const small = files.filter(({ sizeBytes }) => sizeBytes <= fileBytesMax).slice(0, filesMax);
  return small.filter(({ sizeBytes }) => (remainingBytes -= sizeBytes) >= 0);
}
