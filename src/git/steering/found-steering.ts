import { join, posix } from "node:path";
import type { GitFailure } from "../../base/ports/repo.ts";
import { ok, type Result } from "../../base/result.ts";
import { decodedText, entriesOf } from "../command/raw-output.ts";
import type { ListedFiles } from "./steering-index.ts";
import type { SteeredClone } from "./steering-place.ts";
import { holdsSteering, steeringRoot } from "./steering-paths.ts";

/** In more folders, git looks faster, and does not keep the process busy. */
const FOLDERS_MAX = 1_000;

/**
 * The files and folders of a work tree that steer agents, tracked or not, ignored or not: in the folders that have files
 * in the index. Other folders, such as that of installed packages, are not entered.
 */
export async function foundSteering(
  clone: SteeredClone,
  { files }: ListedFiles,
): Promise<Result<readonly string[], GitFailure>> {
  const folders = foldersOf(files.keys());
  if (folders.length > FOLDERS_MAX) return foundByGit(clone, files);
  const real = new Set<string>();
  const found = new Set<string>();
  for (const folder of folders) {
    const isReal = folder === "" || real.has(above(folder));
    if (!isReal || kindIn(clone, folder) !== "directory") continue;
    real.add(folder);
    for (const root of rootsIn(clone, folder)) found.add(root);
  }
  return ok([...found].sort());
}

/** The folders of files, each after the one above it, without those that steer agents themselves. */
function foldersOf(paths: Iterable<string>): readonly string[] {
  const folders = new Set<string>([""]);
  for (const path of paths) {
    for (let folder = above(path); !folders.has(folder); folder = above(folder))
      folders.add(folder);
  }
  return [...folders].filter((folder) => steeringRoot(folder) === undefined).sort();
}

function above(path: string): string {
  const folder = posix.dirname(path);
  return folder === "." ? "" : folder;
}

function kindIn({ context, directory }: SteeredClone, path: string) {
  return context.directories.kindOf(join(directory, path));
}

/** What steers agents directly in a folder, and in the folders in it that hold other things, too. */
function rootsIn(clone: SteeredClone, folder: string): readonly string[] {
  const listed = clone.context.directories.entries(join(clone.directory, folder));
  if (!listed.ok) return [];
  return listed.value.flatMap(({ name, kind }) => {
    const path = posix.join(folder, name);
    if (steeringRoot(path) === path) return [path];
    return kind === "directory" && holdsSteering(name) ? rootsIn(clone, path) : [];
  });
}

async function foundByGit(
  clone: SteeredClone,
  files: ListedFiles["files"],
): Promise<Result<readonly string[], GitFailure>> {
  const args = ["ls-files", "--others", "--directory", "-z"];
  const printed = await clone.git.must(args, { encoding: "latin1" });
  if (!printed.ok) return printed;
  const untracked = entriesOf(printed.value).map(decodedText);
  const roots = [...files.keys(), ...untracked].flatMap((path) => steeringRoot(path) ?? []);
  const beside = untracked
    .filter((path) => path.endsWith("/") && holdsSteering(posix.basename(path)))
    .flatMap((path) => rootsIn(clone, path.slice(0, -1)));
  const there = new Set([...roots, ...beside].filter((root) => kindIn(clone, root) !== undefined));
  return ok([...there].sort());
}
