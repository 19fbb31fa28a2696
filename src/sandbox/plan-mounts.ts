import { basename, join, resolve } from "node:path";
import { ALL_ENGINE_PLACES, foldersOf } from "./engine-folders.ts";
import { hideInTrees } from "./hide-in-trees.ts";
import type { MountFacts } from "./mount-facts.ts";
import { isWithin, Mounts } from "./mounts.ts";
import { hide, openHome } from "./open-home.ts";
import {
  HOME_PROTECTED,
  PRIVATE_CACHES,
  SHARED_FOLDERS,
  SYSTEM_PROTECTED,
} from "./protected-places.ts";
import type { SandboxPlaces } from "./sandbox-setting.ts";
import { shownPlaces } from "./shown-places.ts";
import { bytesOf, textOf, type World } from "./world.ts";

/**
 * The tree that a command sees: the machine, read-only; of a home what programs keep there, without what is
 * protected; its clone and what else it has to write, writable. Made anew for each command.
 */
export function planMounts(facts: MountFacts): Mounts {
  const { world, places } = facts;
  const mounts = new Mounts();
  for (const path of SYSTEM_PROTECTED) hide(world, mounts, path);
  for (const path of SHARED_FOLDERS) {
    if (world.tree.kindOf(path) === "directory") mounts.set(path, { kind: "empty" });
  }
  const { cwd } = facts.confinement.command;
  mounts.set("/tmp", { kind: "write", from: temporaryFolder(places, cwd) });
  const homes = realHomes(facts);
  for (const home of homes) openHome(world, mounts, home);
  showNeeded(facts, mounts, homes);
  writeCaches(facts, mounts, homes[0]);
  // Before the role's own files, which are there whatever the settings say.
  applySettings(facts, mounts);
  writeOwn(facts, mounts);
  hideInTrees(facts, mounts);
  mounts.show(places.scratch);
  return mounts;
}

function realHomes({ world, places }: MountFacts): readonly string[] {
  const real = places.homes.map((home) => world.tree.realPath(home));
  // A home that is the root of everything cannot be emptied.
  const found = real.filter((home) => home !== undefined).filter((home) => home !== "/");
  return [...new Set(found)];
}

function showNeeded(
  { world, places, confinement }: MountFacts,
  mounts: Mounts,
  homes: readonly string[],
): void {
  const secrets = [...HOME_PROTECTED, ...ALL_ENGINE_PLACES];
  const closed = [
    ...[...SHARED_FOLDERS, ...homes],
    ...homes.flatMap((home) => secrets.map((path) => join(home, path))),
  ];
  const isWhole = (folder: string) => !closed.some((path) => isWithin(path, folder));
  const needed = shownPlaces(world, confinement.command, isWhole);
  const resolver = world.tree.realPath("/etc/resolv.conf");
  for (const path of [...needed, ...(resolver === undefined ? [] : [resolver])]) mounts.show(path);
  const repository = world.tree.realPath(places.repository);
  if (repository !== undefined) mounts.set(repository, { kind: "read" });
  for (const path of borrowedObjects(world, confinement.command.cwd)) mounts.show(path);
}

/** Where a clone whose hub itself borrows objects has those from. */
function borrowedObjects(world: World, clone: string): readonly string[] {
  const objects = join(clone, ".git", "objects");
  const lines = textOf(world, join(objects, "info", "alternates"))?.split("\n") ?? [];
  const paths = lines.filter((line) => line !== "" && !line.startsWith("#"));
  return paths.flatMap((path) => world.tree.realPath(resolve(objects, path)) ?? []);
}

/** In the place of the person's caches, which are theirs alone to fill. */
function writeCaches(
  { places: { caches } }: MountFacts,
  mounts: Mounts,
  home: string | undefined,
): void {
  if (home === undefined) return;
  // Links, since each further mount makes the next one dearer.
  for (const path of PRIVATE_CACHES) {
    mounts.set(join(home, path), { kind: "link", to: join(caches, cacheName(path)) });
  }
  mounts.set(caches, { kind: "write" });
}

/** Name of a private cache in the folder that has them all. */
export function cacheName(path: string): string {
  return path.replace(/^\./u, "").replaceAll("/", "-");
}

function applySettings(facts: MountFacts, mounts: Mounts): void {
  const { world, setting } = facts;
  for (const path of absolutePaths(facts, setting.allow)) mounts.set(path, { kind: "read" });
  for (const path of absolutePaths(facts, setting.write)) mounts.set(path, { kind: "write" });
  for (const path of absolutePaths(facts, setting.deny)) hide(world, mounts, path);
}

/** Those paths of the settings that do not depend on the tree they are looked for in, and that exist. */
export function absolutePaths(
  { world, places }: Pick<MountFacts, "world" | "places">,
  paths: readonly string[],
): readonly string[] {
  return paths.flatMap((path) => {
    const full = absolutePath(path, places);
    const real = full === undefined ? undefined : world.tree.realPath(full);
    return real === undefined ? [] : [real];
  });
}

function absolutePath(path: string, { homes: [home] }: SandboxPlaces): string | undefined {
  if (path.startsWith("/")) return path;
  if (home === undefined || !/^~(?:\/|$)/u.test(path)) return undefined;
  return join(home, path.slice(1));
}

/** The clone, the role's own files, temporary ones, and the engine's own folders. */
function writeOwn({ world, places, confinement }: MountFacts, mounts: Mounts): void {
  const { command, writable = [], engine } = confinement;
  const write = (path: string) => {
    const real = world.tree.realPath(path);
    if (real !== undefined) mounts.set(real, { kind: "write" });
  };
  const [home = "/"] = places.homes;
  const { folders, files } = foldersOf(engine, home, command.env);
  folders.forEach(write);
  for (const path of files) linkCopy({ world, places }, mounts, path);
  for (const path of [command.cwd, ...writable]) write(path);
}

/** Temporary files of who runs in a clone: on disk, and gone with the next command there. */
export function temporaryFolder({ scratch }: SandboxPlaces, clone: string): string {
  return join(scratch, `tmp-${basename(clone)}`);
}

/**
 * A file that its program replaces by renaming another over it, which does not work with what is mounted: a
 * copy behind a link, so that what it writes is lost and the person's own stays as it is.
 */
function linkCopy(
  { world, places }: Pick<MountFacts, "world" | "places">,
  mounts: Mounts,
  path: string,
): void {
  const bytes = bytesOf(world, path);
  if (bytes === undefined) return;
  const copy = join(places.scratch, "files", basename(path).replace(/^\./u, ""));
  if (bytesOf(world, copy)?.equals(bytes) !== true) {
    world.files.makeDirectory(join(places.scratch, "files"));
    world.files.replace(copy, bytes);
  }
  mounts.set(path, { kind: "link", to: copy });
  mounts.set(join(places.scratch, "files"), { kind: "write" });
}
