import { join, resolve } from "node:path";
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
  const kind = world.tree.kindOf(path);
  if (kind === "directory") return [path];
  const [, named] = /^gitdir: (.+)$/mu.exec(textOf(world, path) ?? "") ?? [];
  if (kind !== "file" || named === undefined) return [];
  const own = resolve(checkout, named);
  const common = textOf(world, join(own, "commondir"))?.trim();
  const directories = common === undefined ? [own] : [own, resolve(own, common)];
  // Sorted, so that a directory comes before those inside it.
  return directories.flatMap((one) => world.tree.realPath(one) ?? []).sort();
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
