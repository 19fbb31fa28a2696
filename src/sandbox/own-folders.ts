import { join } from "node:path";
import { foldersOf, privateCaches } from "./engine-folders.ts";
import type { MountFacts } from "./mount-facts.ts";
import { cacheName, gitConfigPath, temporaryFolder } from "./plan-mounts.ts";

/**
 * Makes what all commands of a role share: its scratch folder, the package caches, and the user's git configuration
 * without its secrets, given as text.
 */
export function prepareFolders({
  places,
  world,
  gitConfig,
}: Pick<MountFacts, "places" | "world"> & { readonly gitConfig: string }): void {
  const { files, engines } = world;
  const { scratch, caches } = places;
  files.makeScratchDirectory(scratch);
  // Written anew by each process of the role, so it need not survive a power cut.
  files.remove(gitConfigPath(places));
  files.createScratch(gitConfigPath(places), Buffer.from(gitConfig));
  for (const path of privateCaches(engines))
    files.makeScratchDirectory(join(caches, cacheName(path)));
}

/** Makes the folders that a command writes, and an empty one for its temporary files. */
export function makeOwnFolders({ world, places, confinement }: Omit<MountFacts, "setting">): void {
  const { files, directories, tree, engines } = world;
  const { command, engine, caches } = confinement;
  const temporary = temporaryFolder(places, command.cwd);
  if (tree.entries(temporary).length > 0) directories.removeTree(temporary);
  if (tree.kindOf(temporary) === undefined) files.makeScratchDirectory(temporary);
  for (const path of caches === undefined ? [] : privateCaches(engines)) {
    const folder = join(caches?.folder ?? "", cacheName(path));
    if (tree.kindOf(folder) === undefined) files.makeScratchDirectory(folder);
  }
  const [home = "/"] = places.homes;
  // Otherwise a first login, and sessions to resume, would disappear with the sandbox.
  for (const folder of foldersOf(engines, engine, { home, env: command.env }).folders) {
    if (tree.kindOf(folder) === undefined) files.makeDirectory(folder);
  }
}

/** A function that does something when it is first called, and nothing later. */
export function once(act: () => void): () => void {
  let isDone = false;
  return () => {
    if (isDone) return;
    act();
    isDone = true;
  };
}
