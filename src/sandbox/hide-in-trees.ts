import { isAbsolute, join } from "node:path";
import { envFiles } from "./env-files.ts";
import { knownContents } from "./known-contents.ts";
import type { Mounts } from "./mounts.ts";
import { hide } from "./open-home.ts";
import type { MountFacts } from "./mount-facts.ts";

/**
 * Hides what is protected in the user's checkout and in the clone: environment files, and paths that the settings
 * name.
 */
export function hideInTrees(facts: MountFacts, mounts: Mounts): void {
  const { world, places, confinement } = facts;
  const clone = world.tree.realPath(confinement.command.cwd);
  const checkout = world.tree.realPath(places.repository);
  if (checkout !== undefined && checkout !== clone) {
    for (const path of protectedInTree(facts, checkout)) hide(world, mounts, join(checkout, path));
  }
  if (clone === undefined) return;
  for (const path of protectedInClone(facts)) {
    // A mount through a link would land elsewhere, where that place's own rules decide.
    const full = join(clone, path);
    if (world.tree.realPath(full) === full) hide(world, mounts, full);
  }
}

/** Protected paths in the clone, relative to it, except files whose content the repository has anyway. */
export function protectedInClone(facts: MountFacts): readonly string[] {
  const found = protectedInTree(facts, facts.confinement.command.cwd);
  if (found.length === 0) return found;
  const parts = found.map((path) => ({ path, files: filesAt(facts, path) }));
  const known = knownContents(
    facts,
    parts.flatMap(({ files }) => files),
  );
  return parts.flatMap(({ path, files }) => {
    const unknown = files.filter((file) => !known.has(file));
    return unknown.length === files.length ? [path] : unknown;
  });
}

/** A folder named by the settings that has more files is hidden as a whole, without a search of the history. */
const FILES_MAX = 5_000;

/** The file at a path of the clone, or all files of the folder there; links are ignored. */
function filesAt({ world: { tree }, confinement }: MountFacts, path: string): readonly string[] {
  const { cwd } = confinement.command;
  const files: string[] = [];
  const waiting = [{ path, kind: tree.kindOf(join(cwd, path)) }];
  for (let one = waiting.shift(); one !== undefined; one = waiting.shift()) {
    const { path: at, kind } = one;
    if (kind === "file") files.push(at);
    if (kind !== "directory") continue;
    for (const entry of tree.entries(join(cwd, at))) {
      waiting.push({ path: join(at, entry.name), kind: entry.kind });
    }
    if (files.length + waiting.length > FILES_MAX) return [];
  }
  return files;
}

/** Relative paths to hide: environment files and those that the settings deny, except those that they allow. */
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
