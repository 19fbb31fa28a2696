import { dirname, join } from "node:path";
import type { GitFailure } from "../../base/ports/repo.ts";
import { ok, type Result } from "../../base/result.ts";
import type { CloneRepo } from "../clone/clone-repo.ts";
import { readText } from "../command/git-directory.ts";
import { blobId } from "../command/object-ids.ts";
import { decodedText, entriesOf } from "../command/raw-output.ts";
import { isTreePath } from "../command/tree-paths.ts";
import { entriesInIndex, type IndexEntry } from "../repository/index-file.ts";
import {
  LFS_ATTRIBUTE_FILES_MAX,
  LFS_EXACT_POINTER_BYTES_MAX,
  LFS_EXACT_POINTER_BYTES_MIN,
} from "./lfs-limits.ts";
import { exactPointerIn, type LfsPointer } from "./pointer.ts";
import { isAttributeFile } from "./placed-record.ts";

/** A file of a work tree that is the pointer which the index has. */
export interface PointerFile extends LfsPointer {
  readonly path: string;
  readonly blob: string;
  readonly isExecutable: boolean;
}

/** The entries of an index that matter here: attribute files, and what may be a pointer. */
export async function listEntries(
  { git }: Pick<CloneRepo, "git">,
  index: Uint8Array,
  hashBytes: number,
): Promise<Result<readonly IndexEntry[], GitFailure>> {
  const read = entriesInIndex(index, hashBytes, (path, sizeBytes) => {
    // What was not recorded has no size.
    return sizeBytes === 0 || hasPointerSize(sizeBytes) || isAttributeFile(path);
  });
  if (read !== undefined) return ok(read.map(decoded));
  const printed = await git.must(["ls-files", "-s", "-z"], { encoding: "latin1" });
  if (!printed.ok) return printed;
  return ok(
    entriesOf(printed.value).flatMap((line) => {
      const [, mode = "", oid = "", stage, path = ""] =
        /^(\d+) ([0-9a-f]+) (\d)\t(.+)$/su.exec(line) ?? [];
      const numbers = { mode: Number.parseInt(mode, 8), stage: Number(stage), sizeBytes: 0 };
      return oid === "" ? [] : [decoded({ ...numbers, oid, path })];
    }),
  );
}

function decoded(entry: IndexEntry): IndexEntry {
  return { ...entry, path: decodedText(entry.path) };
}

function hasPointerSize(sizeBytes: number): boolean {
  return sizeBytes >= LFS_EXACT_POINTER_BYTES_MIN && sizeBytes <= LFS_EXACT_POINTER_BYTES_MAX;
}

/** Whether one of these attribute files names the filter of Git LFS; also if there are too many to tell. */
export function mayNameLfs(
  { context, directory }: Pick<CloneRepo, "context" | "directory">,
  entries: readonly IndexEntry[],
): boolean {
  const paths = entries
    .map(({ path }) => path)
    .filter((path) => isAttributeFile(path) && isTreePath(path));
  if (paths.length > LFS_ATTRIBUTE_FILES_MAX) return true;
  return paths.some((path) => {
    const text = readText(context.files, join(directory, path));
    return text === undefined || /filter=lfs\b/u.test(text);
  });
}

const REGULAR_MODE = 0o100_000;
const EXECUTABLE_MODE = 0o100_755;

/** The files of the work tree that are exactly the pointer that the index has; what is in conflict is left out. */
export function pointerFiles(
  repo: Pick<CloneRepo, "context" | "directory">,
  entries: readonly IndexEntry[],
): readonly PointerFile[] {
  const plain = new Map<string, boolean>();
  return entries.flatMap(({ path, oid, mode, stage }) => {
    const isFile = (mode & 0o170_000) === REGULAR_MODE && stage === 0 && !isAttributeFile(path);
    // A name that is not UTF-8 names another file here, and an index made by hand may have any path.
    if (!isFile || path.includes("\uFFFD") || !isTreePath(path)) return [];
    if (!isPlainBelow(repo, path, plain)) return [];
    const pointer = pointerAt(repo, path, oid);
    return pointer ? [{ ...pointer, path, blob: oid, isExecutable: mode === EXECUTABLE_MODE }] : [];
  });
}

function pointerAt(
  { context, directory }: Pick<CloneRepo, "context" | "directory">,
  path: string,
  oid: string,
): LfsPointer | undefined {
  const { files, directories } = context;
  const full = join(directory, path);
  if (!hasPointerSize(files.stat(full)?.sizeBytes ?? 0) || directories.kindOf(full) !== "file") {
    return undefined;
  }
  const read = files.read(full, LFS_EXACT_POINTER_BYTES_MAX);
  if (!read.ok || read.value === undefined || blobId(read.value, oid) !== oid) return undefined;
  return exactPointerIn(read.value);
}

/** Whether all folders above a file are folders: an engine may have put a link in place of one. */
function isPlainBelow(
  repo: Pick<CloneRepo, "context" | "directory">,
  path: string,
  known: Map<string, boolean>,
): boolean {
  const folder = dirname(path);
  if (folder === ".") return true;
  const before = known.get(folder);
  if (before !== undefined) return before;
  const { directories } = repo.context;
  const isPlain =
    isPlainBelow(repo, folder, known) &&
    directories.kindOf(join(repo.directory, folder)) === "directory";
  known.set(folder, isPlain);
  return isPlain;
}

/** Those of the files that are under Git LFS by the attributes in the index, and that nothing else converts. */
export async function underLfs<File extends { readonly path: string }>(
  { git }: Pick<CloneRepo, "git">,
  pointers: readonly File[],
): Promise<Result<readonly File[], GitFailure>> {
  if (pointers.length === 0) return ok([]);
  const stdin = pointers.map(({ path }) => `${path}\0`).join("");
  const words = ["check-attr", "--cached", "-z", "--stdin", ...ASKED];
  const printed = await git.must(words, { stdin });
  if (!printed.ok) return printed;
  // Path, attribute, value.
  const fields = printed.value.split("\0");
  const valueOf = (file: number, asked: number) => fields[3 * (ASKED.length * file + asked) + 2];
  const isPlain = (value: string | undefined) => value === "unspecified" || value === "unset";
  return ok(
    pointers.filter((_, file) => {
      const [filter, ...others] = ASKED.map((__, asked) => valueOf(file, asked));
      return filter === "lfs" && others.every(isPlain);
    }),
  );
}

const ASKED = ["filter", "ident", "working-tree-encoding"] as const;
