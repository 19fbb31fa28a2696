import { join, resolve } from "node:path";
import { gitFoldersOf, otherWorkTrees, type GitFilesView } from "../base/work-trees.ts";
import type { MountFacts } from "./mount-facts.ts";
import { isWithin } from "./mounts.ts";
import { textOf, type SandboxWorld } from "./world.ts";

/** The depth to which git itself follows alternates, and more folders than anyone borrows from. */
const DEPTH_MAX = 5;
const FOLDERS_MAX = 50;

/**
 * The git directories of the user's checkout, including those that a `.git` file points to, as in a linked work
 * tree. Never call it for a clone, whose content an engine wrote.
 */
export function gitDirectories(world: SandboxWorld, checkout: string): readonly string[] {
  const path = join(checkout, ".git");
  if (world.tree.kindOf(path) === "directory") return [path];
  const folders = gitFoldersOf(gitFilesIn(world), checkout);
  if (folders === undefined) return [];
  const directories = [...new Set([folders.own, folders.common])];
  // Sorted, so that a directory comes before those inside it.
  return directories.flatMap((one) => world.tree.realPath(one) ?? []).sort();
}

/**
 * The checkout and the other work trees of its repository, without links, as far as they can be hidden: not those that are
 * everything, or in which a home is, which has tool chains. The outer ones come first.
 */
export function workTreesToHide(
  { world, places }: Pick<MountFacts, "world" | "places">,
  homes: readonly string[],
): readonly string[] {
  const { tree } = world;
  const checkout = tree.realPath(places.repository);
  if (checkout === undefined) return [];
  const others = otherWorkTrees(gitFilesIn(world), places.repository);
  const all = new Set([checkout, ...others.flatMap((path) => tree.realPath(path) ?? [])]);
  const isHome = (path: string) => homes.some((home) => isWithin(home, path));
  return [...all].filter((path) => path !== "/" && !isHome(path)).sort();
}

function gitFilesIn(world: SandboxWorld): GitFilesView {
  const { tree } = world;
  return {
    namesIn: (directory) =>
      tree.kindOf(directory) === "directory" ? tree.entries(directory).map(({ name }) => name) : [],
    textOf: (path) => (tree.kindOf(path) === "file" ? textOf(world, path) : undefined),
  };
}

/**
 * The object folders that clones of a checkout may borrow from: its repository's own, and those that the repository
 * itself borrows from. Found as git does, in files that no engine can write.
 */
export function hubObjects(world: SandboxWorld, checkout: string): readonly string[] {
  const found = new Set<string>();
  let level = gitDirectories(world, checkout).map((directory) => join(directory, "objects"));
  for (let depth = 0; depth <= DEPTH_MAX && level.length > 0; depth++) {
    const there = level.flatMap((path) => world.tree.realPath(path) ?? []);
    const added = there.filter((path) => !found.has(path) && isDirectory(world, path));
    for (const path of added.slice(0, FOLDERS_MAX - found.size)) found.add(path);
    level = added.flatMap((path) => borrowedBy(world, path));
  }
  return [...found];
}

function borrowedBy(world: SandboxWorld, objects: string): readonly string[] {
  const text = textOf(world, join(objects, "info", "alternates")) ?? "";
  const lines = text.split("\n").filter((line) => line !== "" && !line.startsWith("#"));
  return lines.map((line) => resolve(objects, line));
}

function isDirectory({ tree }: SandboxWorld, path: string): boolean {
  return tree.kindOf(path) === "directory";
}
