import { dirname, join } from "node:path";
import type { ExactContent, RecordedStat } from "../../base/ports/directories.ts";
import type { Clone, GitFailure } from "../../base/ports/repo.ts";
import { fail, ok, type Result } from "../../base/result.ts";
import type { CloneRepo } from "../clone/clone-repo.ts";
import { fileAsGitFailure } from "../command/git-failure.ts";
import type { IndexEntry } from "../repository/index-file.ts";
import { contentPath } from "./content-store.ts";
import { type ContentSources, contentSources, sourcesOf } from "./content-sources.ts";
import {
  mayNameLfs,
  pointerFiles,
  type PointerFile,
  listEntries,
  underLfs,
} from "./listed-pointers.ts";
import {
  attributesDigest,
  isAsPlaced,
  type PlacedContents,
  type PlacedFile,
  readPlaced,
  writePlaced,
} from "./placed-record.ts";
import { runsLfs } from "./runs-lfs.ts";
import { type GitIndex, indexStamp, readGitIndex, recordPlaced } from "./settled-index.ts";
import { withinLimit } from "./within-limit.ts";

/** Who else may have the content that a work tree needs, and who uses it. */
export interface PlacedFor {
  /** Engines run git in this clone, which writes files anew: its own store gets the content, too. */
  readonly keepsOwn: boolean;
  /** The clone from which a commit came that is not published. */
  readonly holder?: Pick<Clone, "directory"> | undefined;
}

/**
 * Gives the files of a work tree under Git LFS their content, as far as the user's repository, the clone itself or the
 * holder of the commit has it: wherever a file is exactly the pointer that the index has. Each content is hashed while it
 * is copied, and nothing is fetched. git sees the files as unchanged afterwards, without reading them. Costs nothing if
 * the user does not have git-lfs or the repository no content, and no process if there is nothing to do.
 */
export async function placeContent(
  repo: CloneRepo,
  placedFor: PlacedFor,
): Promise<Result<void, GitFailure>> {
  const sources = await contentSources(repo, placedFor);
  if (sources === undefined || repo.memory.placedIn === indexStamp(repo)) return ok(undefined);
  const index = await readGitIndex(repo);
  const placed = index === undefined ? ok(undefined) : await placeIn(repo, index, sources);
  if (placed.ok) repo.memory.placedIn = indexStamp(repo);
  return placed;
}

async function placeIn(
  repo: CloneRepo,
  index: GitIndex,
  sources: ContentSources,
): Promise<Result<void, GitFailure>> {
  const entries = await listEntries(repo, index.bytes, index.hashBytes);
  if (!entries.ok) return entries;
  const attributes = attributesDigest(entries.value);
  const known = readPlaced(repo.context, repo.directory);
  if (known.files.size > 0 && known.attributes !== attributes) {
    const taken = await takeBack(repo, known, attributes);
    const changed = taken.ok ? await readGitIndex(repo) : undefined;
    if (!taken.ok || changed === undefined) return taken;
    return placeIn(repo, changed, sources);
  }
  if (!mayNameLfs(repo, entries.value)) return ok(undefined);
  const chosen = await choose(repo, { entries: entries.value, known, sources });
  if (!chosen.ok || chosen.value.length === 0) return chosen.ok ? ok(undefined) : chosen;
  const copied = await copyAll(repo, { chosen: chosen.value, sources, index });
  if (!copied.ok) return copied;
  const { files, stats } = copied.value;
  // Recorded first: what the record has and the index lacks is only read once more by git.
  const written = writePlaced(repo.context, repo.directory, {
    attributes,
    files: new Map([...stillPlaced(repo, known), ...files].map((file) => [file.path, file])),
  });
  if (!written.ok) return fail(fileAsGitFailure("lfs", written.failure));
  return recordPlaced(repo, index, stats);
}

/** The files that get their content: in the order of paths, until the limit is reached. */
async function choose(
  repo: CloneRepo,
  {
    entries,
    known,
    sources,
  }: {
    readonly entries: readonly IndexEntry[];
    readonly known: PlacedContents;
    readonly sources: ContentSources;
  },
): Promise<Result<readonly PointerFile[], GitFailure>> {
  const there = pointerFiles(repo, entries).filter(
    (file) => sourcesOf(repo.context, sources, file).length > 0,
  );
  if (there.length === 0 || !(await runsLfs(repo.context, repo.hub))) return ok([]);
  const wanted = await underLfs(repo, there);
  if (!wanted.ok) return wanted;
  return ok(withinLimit(wanted.value, stillPlaced(repo, known)).within);
}

function stillPlaced(repo: CloneRepo, { files }: PlacedContents): readonly PlacedFile[] {
  const { context, directory } = repo;
  return [...files.values()].filter((file) =>
    isAsPlaced(file, context.files.stat(join(directory, file.path))),
  );
}

interface Copied {
  readonly files: readonly PlacedFile[];
  readonly stats: ReadonlyMap<string, RecordedStat>;
}

async function copyAll(
  repo: CloneRepo,
  {
    chosen,
    sources,
    index,
  }: {
    readonly chosen: readonly PointerFile[];
    readonly sources: ContentSources;
    readonly index: GitIndex;
  },
): Promise<Result<Copied, GitFailure>> {
  const { files, directories } = repo.context;
  const placed: PlacedFile[] = [];
  const stats = new Map<string, RecordedStat>();
  for (const file of chosen) {
    const copied = await copyOne(repo, file, { sources, modifiedMs: index.beforeMs });
    if (!copied.ok) return copied;
    const path = join(repo.directory, file.path);
    const [stat, seen] = [directories.recordedStat(path), files.stat(path)];
    if (!copied.value || stat === undefined || seen?.changedMs === undefined) continue;
    stats.set(Buffer.from(file.path).toString("latin1"), stat);
    const { path: name, blob, sha256, sizeBytes } = file;
    const { inode, changedMs } = seen;
    placed.push({ path: name, blob, sha256, sizeBytes, inode, changedMs });
  }
  return ok({ files: placed, stats });
}

/** Whether a source had exactly this content. */
async function copyOne(
  repo: CloneRepo,
  file: PointerFile,
  { sources, modifiedMs }: { readonly sources: ContentSources; readonly modifiedMs: number },
): Promise<Result<boolean, GitFailure>> {
  const { directories } = repo.context;
  const to = join(repo.directory, file.path);
  const { isExecutable } = file;
  for (const from of sourcesOf(repo.context, sources, file)) {
    const placed = await copyTo(repo, { from, to, file, isExecutable, modifiedMs });
    if (!placed.ok) return placed;
    if (!placed.value) continue;
    const own = sources.own && contentPath(sources.own, file);
    const isKept = own === undefined || directories.kindOf(own) !== undefined;
    if (isKept || !isPlainFolder(repo, own)) return ok(true);
    const kept = await copyTo(repo, { from, to: own, file, isExecutable: false });
    return kept.ok ? ok(true) : kept;
  }
  return ok(false);
}

interface OneCopy {
  readonly from: string;
  readonly to: string;
  readonly file: ExactContent;
  readonly isExecutable: boolean;
  readonly modifiedMs?: number;
}

async function copyTo(
  { context: { directories }, directory, location }: CloneRepo,
  { from, to, file, isExecutable, modifiedMs }: OneCopy,
): Promise<Result<boolean, GitFailure>> {
  const temporary = join(location.gitDirectory, "wisp-content");
  // Whatever a killed process left, or an engine put there.
  const removed = directories.removeTree(temporary);
  if (!removed.ok) return fail(fileAsGitFailure("lfs", removed.failure));
  const copy = () =>
    directories.placeExactly(from, to, file, { isExecutable, modifiedMs, temporary });
  const placed = await copy();
  if (placed.ok) return placed;
  // A test suite may have write-protected the folder.
  const changed = directories.makeWritable(directory);
  const again = changed.ok && changed.value > 0 ? await copy() : placed;
  return again.ok ? again : fail(fileAsGitFailure("lfs", again.failure));
}

/** Whether the folders of a content in the clone's own store are folders, as far as they are there. */
function isPlainFolder({ context, location }: CloneRepo, path: string): boolean {
  const { directories } = context;
  for (let folder = dirname(path); folder !== location.gitDirectory; folder = dirname(folder)) {
    const kind = directories.kindOf(folder);
    if (kind !== undefined && kind !== "directory") return false;
  }
  return true;
}

/**
 * Makes pointers again of the files that have their content, that nobody changed, and that the attributes no longer name:
 * a pointer may have become a text. git would leave the content there.
 */
async function takeBack(
  repo: CloneRepo,
  known: PlacedContents,
  attributes: string,
): Promise<Result<void, GitFailure>> {
  const { context, directory, git } = repo;
  const there = stillPlaced(repo, known);
  const under = await underLfs(repo, there);
  if (!under.ok) return under;
  const paths = there.filter((file) => !under.value.includes(file)).map(({ path }) => path);
  for (const path of paths) {
    const removed = context.directories.removeTree(join(directory, path));
    if (!removed.ok) return fail(fileAsGitFailure("lfs", removed.failure));
  }
  const stdin = paths.map((path) => `${path}\0`).join("");
  // It fails on those that the index lacks by now.
  if (stdin !== "") await git.run(["checkout-index", "-f", "-u", "-q", "-z", "--stdin"], { stdin });
  const files = new Map(under.value.map((file) => [file.path, file]));
  const written = writePlaced(context, directory, { attributes, files });
  return written.ok ? ok(undefined) : fail(fileAsGitFailure("lfs", written.failure));
}
