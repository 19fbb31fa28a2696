import { join } from "node:path";
import type { DirectoryEntry } from "../../base/ports/directories.ts";
import type { CommittedFile } from "../../base/ports/repo.ts";
import type { GitContext } from "../command/git-environment.ts";
import { blobId } from "../command/object-ids.ts";

/** In a larger tree git is as fast, and does not keep the process busy. */
const FILES_MAX = 500;
const BYTES_MAX = 4 * 1024 * 1024;

/** What a look at every file of a work tree found. */
export interface TreeStat {
  /** Whether each committed file is there with exactly its bytes and rights. */
  readonly isExact: boolean;
  /**
   * Paths that the commit lacks, ignored or not. A folder without any committed file appears as a whole, with a slash
   * at its end.
   */
  readonly untracked: readonly string[];
}

type Context = Pick<GitContext, "files" | "directories">;

/**
 * Looks through the work tree at `top`, which only this process uses, for what differs from a commit. Undefined where
 * git has to decide: in a large tree, and where the commit has links or submodules, or the tree repositories of its own.
 *
 * @param isKnown whether a file is known to be as it should be, and need not be read
 */
export function lookThrough(
  context: Context,
  top: string,
  committed: readonly CommittedFile[],
  isKnown: (file: CommittedFile) => boolean = () => false,
): TreeStat | undefined {
  const isPlain = ({ mode, path }: CommittedFile) =>
    mode.startsWith("100") && !path.includes("\uFFFD");
  if (committed.length > FILES_MAX || !committed.every(isPlain)) return undefined;
  const found = entriesBelow(context, top, new Set(committed.flatMap(({ path }) => above(path))));
  if (found === undefined) return undefined;
  const paths = new Set(committed.map(({ path }) => path));
  const untracked = [...found.keys()].filter((path) => !paths.has(path)).sort();
  // git neither lists such a folder nor enters it.
  if (committed.some(({ path }) => found.has(`${path}/`))) return undefined;
  let remainingBytes = BYTES_MAX;
  for (const file of committed) {
    if (found.get(file.path) !== "file") return { isExact: false, untracked };
    const path = join(top, file.path);
    if (!hasRights(context, path, file)) return { isExact: false, untracked };
    if (isKnown(file)) continue;
    remainingBytes -= context.files.stat(path)?.sizeBytes ?? 0;
    if (remainingBytes < 0) return undefined;
    if (!isSame(context, path, file)) return { isExact: false, untracked };
  }
  return { isExact: true, untracked };
}

type Found = ReadonlyMap<string, "file" | "folder" | "other">;

/**
 * The entries of the folders that have committed files, by their paths. Other folders are not entered, and have a slash
 * at their end.
 */
function entriesBelow(
  { directories }: Context,
  top: string,
  entered: ReadonlySet<string>,
): Found | undefined {
  const found = new Map<string, "file" | "folder" | "other">();
  const waiting = [""];
  for (let folder = waiting.shift(); folder !== undefined; folder = waiting.shift()) {
    const listed = directories.entries(join(top, folder));
    if (!listed.ok) return undefined;
    const entries = listed.value.filter(({ name }) => folder !== "" || name !== ".git");
    if (entries.some(isOdd) || found.size + entries.length > 2 * FILES_MAX) return undefined;
    const pathOf = ({ name }: DirectoryEntry) => `${folder}${name}`;
    const folders = entries.filter(({ kind }) => kind === "directory").map(pathOf);
    const files = entries.filter(({ kind }) => kind !== "directory");
    for (const entry of files) found.set(pathOf(entry), entry.kind === "file" ? "file" : "other");
    for (const path of folders.filter((each) => !entered.has(each)))
      found.set(`${path}/`, "folder");
    waiting.push(...folders.filter((each) => entered.has(each)).map((path) => `${path}/`));
  }
  return found;
}

/** git takes the folder for a repository; or the name is not UTF-8, and may be read as that of another entry. */
function isOdd({ name }: DirectoryEntry): boolean {
  return name.toLowerCase() === ".git" || name.includes("\uFFFD");
}

/** The folders that contain a path. */
function above(path: string): readonly string[] {
  const names = path.split("/").slice(0, -1);
  return names.map((_, index) => names.slice(0, index + 1).join("/"));
}

function hasRights({ files }: Context, path: string, { mode }: CommittedFile): boolean {
  return files.stat(path)?.isExecutable === (mode === "100755");
}

function isSame({ files }: Context, path: string, { oid }: CommittedFile): boolean {
  const read = files.read(path, BYTES_MAX);
  if (!read.ok || read.value === undefined) return false;
  return blobId(read.value, oid) === oid;
}
