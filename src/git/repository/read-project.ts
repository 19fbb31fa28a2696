import type { ProjectFacts } from "../../base/ports/project-facts.ts";
import type { Oid } from "../../base/oid.ts";
import type { FilterDrivers } from "../../base/ports/filters.ts";
import type { CommittedFile, GitFailure } from "../../base/ports/repo.ts";
import { ok, type Result } from "../../base/result.ts";
import type { Files } from "../../base/ports/files.ts";
import { linksListed } from "../submodules/submodule-links.ts";
import { unfilledSubmodules } from "../submodules/walk-submodules.ts";
import type { Git } from "../command/git.ts";
import { assertOids } from "../command/object-ids.ts";
import type { CommittedPointer, StayingPointers } from "../lfs/staying-pointers.ts";
import { NO_DRIVERS, readFilters } from "./filter-drivers.ts";
import { decodedText, entriesOf, parseBatch } from "../command/raw-output.ts";

/** Of the lists that git prints, at most this much is read. */
const TREE_LIST_BYTES_MAX = 16 * 1024 * 1024;
const IGNORED_LIST_BYTES_MAX = 1024 * 1024;
/** Of the files, at most so many, none larger, and together no more. */
const TEXTS_MAX = 5_000;
const TEXT_BYTES_MAX = 256 * 1024;
const TEXTS_BYTES_MAX = 16 * 1024 * 1024;
/** Ignored folders that are looked into. */
const FOLDERS_MAX = 50;
/** The specification of Git LFS: a pointer is smaller. */
const POINTER_BYTES_MAX = 1024;
const POINTERS_MAX = 20_000;

const LATIN1 = { encoding: "latin1" } as const;

/** What tools install or keep for themselves: no project names single files in it. */
const OF_TOOLS =
  /(?:^|\/)(?:node_modules|bower_components|\.?venv|env|__pycache__|\.(?!env)[^/]*|target|coverage|Pods|[^/]*\.egg-info)\/$/;

/** What copies of a commit get of it, which only the rest of the person's repository tells. */
export interface CopiesOfCommit {
  /** Which pointers of Git LFS they have, too. */
  readonly staying: (found: readonly CommittedPointer[]) => Promise<StayingPointers>;
  /** Reads where the repository keeps those of its submodules. */
  readonly files: Files;
}

/**
 * Reads what is known of a project at a commit. Nothing is changed. Runs at most six commands, whatever the number of
 * files, and one or two for each submodule, and for each filter that only the repository defines and attributes name; a limit that is reached is named in the result.
 *
 * @param git in the top of the person's work tree
 * @param isWanted which files' texts are of interest
 * @param copies tells what copies of the commit lack
 */
export async function readProject(
  git: Git,
  at: Oid,
  isWanted: (path: string) => boolean,
  copies: CopiesOfCommit,
): Promise<Result<ProjectFacts, GitFailure>> {
  assertOids(at);
  const tree = { ...LATIN1, cutAtBytes: TREE_LIST_BYTES_MAX };
  const [listed, ignored, stored, drivers] = await Promise.all([
    git.must(["ls-tree", "-r", "-l", "-z", "--full-tree", at], tree),
    readIgnored(git),
    git.ask(["ls-files", "-z", "--", ":(top,attr:filter=lfs)"], tree),
    readFilters(git),
  ]);
  if (!listed.ok) return listed;
  const isCut = listed.value.length >= TREE_LIST_BYTES_MAX;
  const files = entriesOf(listed.value).flatMap(listedFile);
  const inStore = new Set(entriesOf(stored ?? "").map(decodedText));
  const mayPoint = files
    .filter(({ path, sizeBytes }) => sizeBytes < POINTER_BYTES_MAX && inStore.has(path))
    .slice(0, POINTERS_MAX);
  const { read, unread } = withinBounds(files.filter(({ path }) => isWanted(path)));
  const printed = await blobsOf(git, [...read, ...mayPoint]);
  if (!printed.ok) return printed;
  const filters = drivers.ok ? drivers.value : NO_DRIVERS;
  const textOf = ({ oid }: ListedFile) => decodedText(printed.value.get(oid) ?? "");
  const pointing = mayPoint.filter((file) => POINTER.test(textOf(file)));
  const stay = await copies.staying(
    pointing.map((file) => ({ path: file.path, bytes: Buffer.from(textOf(file)) })),
  );
  const links = linksListed(listed.value);
  const text = textAt(files, printed.value, ".gitmodules");
  const unfilled = text && (await unfilledSubmodules(git, copies.files, { links, text }));
  return ok({
    ...(unfilled ? { unfilled } : {}),
    files: files.map(({ path, oid, mode }) => ({ path, oid, mode })),
    texts: new Map(read.map((file) => [file.path, textOf(file)])),
    ignored: ignored.paths,
    pointers: stay.lacking,
    pointersOver: stay.over,
    filters,
    filtered: await filteredPaths(git, at, filters),
    unread: [
      ...(isCut ? [`files after the first ${String(files.length)}`] : []),
      ...unread,
      ...ignored.unread,
    ],
  });
}

/** The text of a file that was read. */
function textAt(
  files: readonly ListedFile[],
  texts: ReadonlyMap<Oid, string>,
  path: string,
): string | undefined {
  const text = texts.get(files.find((file) => file.path === path)?.oid ?? "");
  return text === undefined ? undefined : decodedText(text);
}

/** The filters that attribute files of a commit name, unless they are the person's everywhere, with their paths. */
async function filteredPaths(
  git: Git,
  at: Oid,
  { defined, ofPerson }: FilterDrivers,
): Promise<ReadonlyMap<string, readonly string[]>> {
  const own = defined.filter((name) => !ofPerson.includes(name));
  if (own.length === 0) return new Map();
  const words = ["grep", "-h", "-o", "-E", "-e", "filter=[^[:space:]]+", at, "--"];
  const named = await git.ask([...words, ":(top,glob)**/.gitattributes"], LATIN1);
  const names = new Set((named ?? "").split("\n").map((line) => line.replace(/^filter=/u, "")));
  const found = new Map<string, readonly string[]>();
  for (const name of own.filter((each) => names.has(each))) {
    // The words of a pathspec cannot name every filter.
    const isPlain = /^[\w.-]+$/u.test(name);
    const listed =
      isPlain && (await git.ask(["ls-files", "-z", "--", `:(top,attr:filter=${name})`], LATIN1));
    found.set(name, entriesOf(listed || "").map(decodedText));
  }
  return found;
}

const POINTER = /^version https:\/\/git-lfs\.github\.com\/spec\/v1\n(?:ext-.*\n)*oid sha256:/;

interface ListedFile extends CommittedFile {
  /** 0 of what is no file. */
  readonly sizeBytes: number;
}

function listedFile(entry: string): readonly ListedFile[] {
  const [, mode, oid, bytes, path] = /^(\d+) \w+ ([0-9a-f]+) +(\d+|-)\t(.+)$/su.exec(entry) ?? [];
  if (mode === undefined || oid === undefined || path === undefined) return [];
  return [{ path: decodedText(path), oid, mode, sizeBytes: Number(bytes) || 0 }];
}

function withinBounds(wanted: readonly ListedFile[]): {
  readonly read: readonly ListedFile[];
  readonly unread: readonly string[];
} {
  const plain = wanted.filter(({ mode }) => mode.startsWith("100"));
  const small = plain.filter(({ sizeBytes }) => sizeBytes <= TEXT_BYTES_MAX);
  // What steers the tests is near the root.
  const first = small.toSorted((one, other) => depthOf(one) - depthOf(other)).slice(0, TEXTS_MAX);
  let leftBytes = TEXTS_BYTES_MAX;
  const read = first.filter(({ sizeBytes }) => (leftBytes -= sizeBytes) >= 0);
  const unread = small.length - read.length;
  return { read, unread: unread === 0 ? [] : [`${String(unread)} of the source files`] };
}

function depthOf({ path }: ListedFile): number {
  return path.split("/").length;
}

async function blobsOf(
  git: Git,
  files: readonly ListedFile[],
): Promise<Result<ReadonlyMap<Oid, string>, GitFailure>> {
  if (files.length === 0) return ok(new Map());
  const stdin = [...new Set(files.map(({ oid }) => oid))].map((oid) => `${oid}\n`).join("");
  const printed = await git.must(["cat-file", "--batch"], { ...LATIN1, stdin });
  return printed.ok ? ok(parseBatch(printed.value)) : printed;
}

interface Ignored {
  readonly paths: ReadonlySet<string>;
  readonly unread: readonly string[];
}

const OTHERS = ["ls-files", "--others", "--ignored", "--exclude-standard", "-z"];

/** Ignored files, and those in ignored folders that are no tool's. Nothing if git cannot tell. */
async function readIgnored(git: Git): Promise<Ignored> {
  const list = { ...LATIN1, cutAtBytes: IGNORED_LIST_BYTES_MAX };
  const printed = (await git.ask([...OTHERS, "--directory"], list)) ?? "";
  const all = entriesOf(printed).map(decodedText).filter(isOfProject);
  const listed = all.filter((path) => path.endsWith("/"));
  // git lists a folder of which everything is ignored together with those in it.
  const above = new Set(listed.map((path) => path.replace(/[^/]+\/$/, "")));
  const folders = listed.filter((path) => !above.has(path) && !OF_TOOLS.test(path));
  const looked = folders.slice(0, FOLDERS_MAX);
  const below =
    looked.length === 0
      ? ""
      : await git.ask(["--literal-pathspecs", ...OTHERS, "--", ...looked], list);
  const isCut = [printed, below ?? ""].some((text) => text.length >= IGNORED_LIST_BYTES_MAX);
  const isLess = isCut || looked.length < folders.length;
  return {
    paths: new Set([...all, ...entriesOf(below ?? "").map(decodedText)]),
    unread: isLess ? ["some of the files that git ignores"] : [],
  };
}

function isOfProject(path: string): boolean {
  return !path.startsWith(".wisp/");
}
