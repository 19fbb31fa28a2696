import { isAbsolute, join, resolve } from "node:path";
import { envFiles } from "./env-files.ts";
import type { Mounts } from "./mounts.ts";
import { hide } from "./open-home.ts";
import type { MountFacts } from "./mount-facts.ts";
import { trackedPaths } from "./tracked-paths.ts";
import { bytesOf, textOf, type World } from "./world.ts";

/**
 * Takes out of sight what is protected in the person's checkout (environment files, its `.git`, which may
 * hold tokens in its configuration) and in the clone. What git tracks in the clone stays there: everybody
 * has it in the history, and a tracked file that cannot be seen would be committed as deleted.
 */
export function hideInTrees(facts: MountFacts, mounts: Mounts): void {
  const { world, places, confinement } = facts;
  const { cwd } = confinement.command;
  const checkout = world.tree.realPath(places.repository);
  if (checkout !== undefined && checkout !== world.tree.realPath(cwd)) {
    for (const path of protectedInTree(facts, checkout)) hide(world, mounts, join(checkout, path));
    closeGit(world, mounts, checkout);
  }
  for (const path of protectedInClone(facts)) hide(world, mounts, join(cwd, path));
}

/** Of the clone, relative to it: what is protected and not tracked. */
export function protectedInClone(facts: MountFacts): readonly string[] {
  const { cwd } = facts.confinement.command;
  const found = protectedInTree(facts, cwd);
  if (found.length === 0) return found;
  const tracked = trackedIn(facts.world, cwd);
  return found.filter((path) => !isTracked(tracked, path));
}

/** Relative paths: environment files, and what the settings name, without what they allow. */
export function protectedInTree({ world, setting }: MountFacts, root: string): readonly string[] {
  const relative = (paths: readonly string[]) =>
    paths
      .filter((path) => !isAbsolute(path) && !path.startsWith("~"))
      .map((path) => join("/", path).slice(1).replace(/\/$/u, ""))
      .filter((path) => path !== "");
  const allowed = new Set(relative([...setting.allow, ...setting.write]));
  const named = relative(setting.deny);
  return [...envFiles(world, root), ...named].filter((path) => !allowed.has(path));
}

/** Undefined: nobody can tell, so that nothing counts as tracked. */
function trackedIn(world: World, clone: string): ReadonlySet<string> | undefined {
  const index = bytesOf(world, join(clone, ".git", "index"));
  if (index === undefined) return undefined;
  const config = textOf(world, join(clone, ".git", "config")) ?? "";
  return trackedPaths(index, /objectformat\s*=\s*sha256/iu.test(config) ? 32 : 20);
}

function isTracked(tracked: ReadonlySet<string> | undefined, path: string): boolean {
  if (tracked === undefined) return false;
  return tracked.has(path) || [...tracked].some((other) => other.startsWith(`${path}/`));
}

/** Of the checkout's repository the objects alone: clones may borrow them. */
function closeGit(world: World, mounts: Mounts, checkout: string): void {
  for (const directory of gitDirectories(world, checkout)) {
    hide(world, mounts, directory);
    const objects = join(directory, "objects");
    if (world.tree.kindOf(objects) === "directory") mounts.set(objects, { kind: "read" });
  }
}

/** `.git`, or where the file of this name points to, as in a linked work tree. */
export function gitDirectories(world: World, checkout: string): readonly string[] {
  const path = join(checkout, ".git");
  const kind = world.tree.kindOf(path);
  if (kind === "directory") return [path];
  const [, named] = /^gitdir: (.+)$/mu.exec(textOf(world, path) ?? "") ?? [];
  if (kind !== "file" || named === undefined) return [];
  const own = resolve(checkout, named);
  const common = textOf(world, join(own, "commondir"))?.trim();
  const directories = common === undefined ? [own] : [own, resolve(own, common)];
  // The shorter first: it may hold the other.
  return directories.flatMap((one) => world.tree.realPath(one) ?? []).sort();
}
