import { join } from "node:path";
import { GITMODULES_BYTES_MAX } from "../../base/submodule-limits.ts";
import type { Oid } from "../../base/oid.ts";
import type { Environment } from "../../base/ports/processes.ts";
import { type CloneRepo, headOf } from "../clone/clone-repo.ts";
import { decodedText } from "../command/raw-output.ts";
import {
  entriesOfIndex,
  FILLED_INDEX_BYTES_MAX,
  type FilledEntry,
  LINK_TO_COMMIT,
} from "./index-entries.ts";
import { indexOf } from "./filled-record.ts";
import {
  type FilledSubmodule,
  linksAmong,
  linksListed,
  type SubmoduleLink,
} from "./submodule-links.ts";

/** The submodules in the index of a clone; git is asked if the index has an unusual format. */
export async function linksInClone(repo: CloneRepo): Promise<readonly SubmoduleLink[]> {
  const head = await headOf(repo);
  const index = join(repo.location.gitDirectory, "index");
  const entries = head === undefined ? undefined : readEntries(repo, index, head);
  if (entries !== undefined) return linksAmong(entries);
  const listed = await repo.git.ask(["ls-files", "--stage", "-z"], { encoding: "latin1" });
  return linksListed(listed ?? "");
}

/** The submodules of a filled one. */
export function linksWithin(
  repo: CloneRepo,
  { path, commit }: Pick<FilledSubmodule, "path" | "commit">,
): readonly SubmoduleLink[] {
  return linksAmong(readEntries(repo, indexOf(repo, path), commit) ?? []);
}

function readEntries(
  { context }: CloneRepo,
  index: string,
  { length }: Oid,
): readonly FilledEntry[] | undefined {
  const read = context.files.read(index, FILLED_INDEX_BYTES_MAX);
  return read.ok && read.value !== undefined ? entriesOfIndex(read.value, length / 2) : undefined;
}

/** The text of a `.gitmodules`; empty if there is none, or a link in its place. */
export function gitmodulesIn({ context }: Pick<CloneRepo, "context">, folder: string): string {
  const path = join(folder, ".gitmodules");
  if (context.directories.kindOf(path) !== "file") return "";
  const read = context.files.read(path, GITMODULES_BYTES_MAX);
  return read.ok ? Buffer.from(read.value ?? []).toString("utf8") : "";
}

/** The folder at a path of the work tree; undefined if it is none, or if a link on the way leads elsewhere. */
export function folderAt(
  { directory, context }: Pick<CloneRepo, "directory" | "context">,
  path: string,
): string | undefined {
  const parts = path.split("/");
  const way = parts.map((_, index) => join(directory, ...parts.slice(0, index + 1)));
  const isWay = way.every((each) => context.directories.kindOf(each) === "directory");
  return isWay ? join(directory, path) : undefined;
}

/** Whether there is nothing at a path of the work tree, and no link or file on the way to it. */
export function isFreeWay(
  { directory, context }: Pick<CloneRepo, "directory" | "context">,
  path: string,
): boolean {
  const parts = path.split("/");
  const way = parts.map((_, index) => join(directory, ...parts.slice(0, index + 1)));
  const found = way.map((each) => context.directories.kindOf(each));
  return found.at(-1) === undefined && found.every((kind) => kind !== "file" && kind !== "other");
}

/** Whether a folder has nothing in it. */
export function isEmptyFolder({ context }: Pick<CloneRepo, "context">, folder: string): boolean {
  const listed = context.directories.entries(folder);
  return listed.ok && listed.value.length === 0;
}

/** What git in the clone is told, to work on the files of one submodule by an index of their own. */
export function aimedAt(repo: CloneRepo, path: string): Environment {
  return { GIT_INDEX_FILE: indexOf(repo, path), GIT_WORK_TREE: join(repo.directory, path) };
}

/**
 * Whether the files of a submodule are as wisp wrote them, by inodes and change times, which no program can set. Starts
 * no process. What lies beside them does not count.
 */
export function isAsFilled(repo: CloneRepo, one: FilledSubmodule): boolean {
  const folder = folderAt(repo, one.path);
  const entries = readEntries(repo, indexOf(repo, one.path), one.commit);
  if (folder === undefined || entries === undefined) return false;
  const { files, directories } = repo.context;
  if (directories.kindOf(join(folder, ".git")) !== undefined) return false;
  const above = new Set(entries.flatMap((entry) => foldersAbove(decodedText(entry.path))));
  const areFolders = [...above].every(
    (each) => directories.kindOf(join(folder, each)) === "directory",
  );
  if (!areFolders) return false;
  return entries.every((entry) => {
    const path = join(folder, decodedText(entry.path));
    if (entry.mode === LINK_TO_COMMIT) return directories.kindOf(path) === "directory";
    const found = files.stat(path);
    if (found === undefined || directories.kindOf(path) === "directory") return false;
    const isOne = entry.inode === Number(BigInt(found.inode) & 0xff_ff_ff_ffn);
    return isOne && Math.floor(found.changedMs ?? -1) === entry.changedMs;
  });
}

/**
 * What lies in the folder of a submodule beside its files, from the top of the work tree; a folder without any of its
 * files appears as a whole, with a slash at its end. Submodules in it are not entered.
 */
export function besideFilled(repo: CloneRepo, one: FilledSubmodule): readonly string[] {
  const entries = readEntries(repo, indexOf(repo, one.path), one.commit);
  if (entries === undefined || folderAt(repo, one.path) === undefined) return [];
  const own = new Set(entries.map(({ path }) => decodedText(path)));
  const entered = new Set([...own].flatMap(foldersAbove));
  const beside: string[] = [];
  const waiting = [""];
  for (let folder = waiting.shift(); folder !== undefined; folder = waiting.shift()) {
    const [top, above] = [join(repo.directory, one.path, folder), folder];
    const listed = repo.context.directories.entries(top);
    const found = (listed.ok ? listed.value : []).map(({ name, kind }) => {
      return { path: `${above}${name}`, isFolder: kind === "directory" };
    });
    const others = found.filter(({ path }) => !own.has(path));
    const isWay = ({ path, isFolder }: (typeof found)[number]) => isFolder && entered.has(path);
    waiting.push(...others.filter(isWay).map(({ path }) => `${path}/`));
    const made = others.filter((each) => !isWay(each));
    beside.push(...made.map(({ path, isFolder }) => `${one.path}/${path}${isFolder ? "/" : ""}`));
  }
  return beside;
}

function foldersAbove(path: string): readonly string[] {
  const names = path.split("/").slice(0, -1);
  return names.map((_, index) => names.slice(0, index + 1).join("/"));
}

/** The paths of a submodule's files and folders that git tracks there, from the top of the work tree. */
export function filesOfFilled(repo: CloneRepo, one: FilledSubmodule): readonly string[] {
  const entries = readEntries(repo, indexOf(repo, one.path), one.commit) ?? [];
  const files = entries.filter(({ mode }) => mode !== LINK_TO_COMMIT);
  return files.map(({ path }) => `${one.path}/${decodedText(path)}`);
}
