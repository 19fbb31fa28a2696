import { basename, join } from "node:path";
import { foldersOf, ofAll, privateCaches } from "./engine-folders.ts";
import { hideInTrees } from "./hide-in-trees.ts";
import { gitDirectories, hubObjects, workTreesToHide } from "./hub-objects.ts";
import type { MountFacts } from "./mount-facts.ts";
import { isWithin, Mounts } from "./mounts.ts";
import { hide, openHome } from "./open-home.ts";
import { protect, protectedPlaces } from "./protect.ts";
import { isOfImage, SHARED_FOLDERS, SYSTEM_PROTECTED } from "./protected-places.ts";
import type { SandboxPlaces } from "./sandbox-setting.ts";
import {
  absolutePaths,
  givenInCheckout,
  givenPlaces,
  unsafeFolders,
  type Given,
} from "./settings-paths.ts";
import { shownPlaces, type ShowLimits } from "./shown-places.ts";
import { bytesOf } from "./world.ts";

/**
 * The tree that a command sees: the machine, read-only; of a home only what programs keep there and what is not
 * protected; its clone and other places that it must write, writable. Planned again for each command.
 *
 * The plan depends on the user's input (settings, environment, checkout) and on what wisp knows. Of the files that
 * an engine may write, only the names of environment files count, and they can only hide something.
 *
 * Over an image, the same without the machine: what is not given is the image's, and so are all programs.
 */
export function planMounts(facts: MountFacts): Mounts {
  const { world, places } = facts;
  const { isImage = false } = facts;
  const mounts = new Mounts(isImage ? "empty" : "read");
  if (!isImage) hideMachine(world, mounts);
  const { cwd } = facts.confinement.command;
  mounts.set("/tmp", { kind: "write", from: temporaryFolder(places, cwd) });
  const homes = realHomes(facts);
  for (const home of homes) {
    // Tool chains, too, are those of the image.
    if (isImage) mounts.set(home, { kind: "empty" });
    else openHome(world, mounts, home);
  }
  const closed = protectedPlaces(facts);
  const { hidesCheckout = false } = facts.confinement;
  const hidden = hidesCheckout ? workTreesToHide(facts, homes) : [];
  const unshown = [...closed.secrets, ...closed.state, ...hidden];
  showNeeded(facts, mounts, { homes, closed: unshown });
  if (!hidesCheckout) showCheckout(facts, mounts, homes);
  const given = givenPlaces(facts);
  for (const { path, mount } of given) mounts.set(path, mount);
  // Before what is protected, which may be in it.
  for (const workTree of hidden) hideWorkTree(facts, mounts, workTree, { homes, given });
  protect(facts, mounts, { closed, given });
  if (hidesCheckout) showObjects(facts, mounts);
  // Applied before the role's own files, which are shown whatever the settings say.
  for (const path of absolutePaths(facts, facts.setting.deny)) hide(world, mounts, path);
  writeOwn(facts, mounts);
  hideInTrees(facts, mounts);
  return mounts;
}

function hideMachine(world: MountFacts["world"], mounts: Mounts): void {
  for (const path of SYSTEM_PROTECTED) hide(world, mounts, path);
  for (const path of SHARED_FOLDERS) {
    if (world.tree.kindOf(path) === "directory") mounts.set(path, { kind: "empty" });
  }
}

function realHomes({ world, places }: MountFacts): readonly string[] {
  const real = places.homes.map((home) => world.tree.realPath(home));
  // A home that is `/` cannot be emptied.
  const found = real.filter((home) => home !== undefined).filter((home) => home !== "/");
  return [...new Set(found)];
}

function showNeeded(
  facts: MountFacts,
  mounts: Mounts,
  { homes, closed }: { readonly homes: readonly string[]; readonly closed: readonly string[] },
): void {
  const { world, confinement, isImage = false } = facts;
  const whole = [...SHARED_FOLDERS, ...homes, ...closed];
  const limits: ShowLimits = {
    unsafe: unsafeFolders(facts),
    isWhole: (folder) => !whole.some((path) => isWithin(path, folder)),
    isClosed: (place) => closed.some((path) => isWithin(place, path)),
  };
  const { named = [] } = confinement;
  const words = isImage ? named.filter((word) => !isOfImage(word)) : named;
  const variables = ofAll(world.engines, ({ fileVariables }) => fileVariables);
  const { env } = confinement.command;
  const needed = shownPlaces(world, { words, variables, env: isImage ? {} : env }, limits);
  const resolver = isImage ? undefined : world.tree.realPath("/etc/resolv.conf");
  for (const path of [...needed, ...(resolver === undefined ? [] : [resolver])]) mounts.show(path);
  linkCaches(facts, mounts, {
    home: homes[0],
    programs: shownPlaces(world, { words, variables: [], env: {} }, limits),
  });
}

/** Shows the user's checkout without its `.git`, except for the objects, which clones may borrow. */
function showCheckout(
  { world, places }: MountFacts,
  mounts: Mounts,
  homes: readonly string[],
): void {
  const checkout = world.tree.realPath(places.repository);
  if (checkout === undefined) return;
  // If a home is itself the repository, it stays closed, and only wisp's files in it are shown.
  const isHome = homes.some((home) => isWithin(home, checkout));
  mounts.set(isHome ? join(checkout, ".wisp") : checkout, { kind: "read" });
  for (const directory of gitDirectories(world, checkout)) hide(world, mounts, directory);
  for (const objects of hubObjects(world, checkout)) mounts.show(objects);
}

/**
 * Hides the checkout, or another work tree of its repository, whatever shows a folder above it. What the settings give by a
 * path in it stays visible, and so do tool chains where a home is the work tree or in it: that home is closed anyway.
 */
function hideWorkTree(
  facts: MountFacts,
  mounts: Mounts,
  workTree: string,
  { homes, given }: { readonly homes: readonly string[]; readonly given: readonly Given[] },
): void {
  const { world, isImage = false } = facts;
  if (given.some(({ path }) => path === workTree)) return;
  mounts.clear(workTree);
  // An image may have files of its own at this path, and has none in a home.
  const isOfHome = homes.some((home) => isWithin(workTree, home));
  if (isImage && !isOfHome) mounts.set(workTree, { kind: "empty" });
  else hide(world, mounts, workTree);
  for (const { path, mount } of given) if (isWithin(path, workTree)) mounts.set(path, mount);
  for (const path of givenInCheckout(facts)) {
    if (isWithin(path, workTree)) mounts.set(path, { kind: "read" });
  }
}

/** Shows the objects that a clone may borrow from the repository. */
function showObjects({ world, places }: MountFacts, mounts: Mounts): void {
  const checkout = world.tree.realPath(places.repository);
  if (checkout === undefined) return;
  for (const directory of gitDirectories(world, checkout)) hide(world, mounts, directory);
  for (const objects of hubObjects(world, checkout)) mounts.show(objects);
}

/**
 * Replaces the user's caches, which only the user may fill. A cache from which a program of the command runs, as
 * with `npx`, is empty but for that program: nothing can be mounted below a link.
 */
function linkCaches(
  { world, places, confinement: { caches: own } }: MountFacts,
  mounts: Mounts,
  { home, programs }: { readonly home: string | undefined; readonly programs: readonly string[] },
): void {
  if (home === undefined) return;
  const folder = own?.folder ?? places.caches;
  // Links are used, because every further mount makes the next one slower.
  for (const path of privateCaches(world.engines)) {
    const name = cacheName(path);
    const isFilled = own?.filled.names.has(name) === true;
    const from = isFilled ? own.filled.folder : folder;
    const cache = join(home, path);
    const isRunFrom = programs.some((program) => isWithin(program, cache));
    mounts.set(cache, isRunFrom ? { kind: "empty" } : { kind: "link", to: join(from, name) });
  }
}

/** The name of a private cache in the folder that contains all of them. */
export function cacheName(path: string): string {
  return path.replace(/^\./u, "").replaceAll("/", "-");
}

/** Gives the command its wisp files, and the engine its own folders. */
function writeOwn({ world, places, confinement }: MountFacts, mounts: Mounts): void {
  const { command, readable = [], writable = [], caches, engine } = confinement;
  const give = (path: string, kind: "read" | "write") => {
    const real = world.tree.realPath(path);
    if (real !== undefined) mounts.set(real, { kind });
  };
  const [home = "/"] = places.homes;
  const { folders, files } = foldersOf(world.engines, engine, { home, env: command.env });
  for (const folder of folders) give(folder, "write");
  for (const path of files) linkCopy({ world, places }, mounts, path);
  for (const path of [gitConfigPath(places), ...readable]) give(path, "read");
  const { folder = places.caches, filled } = caches ?? {};
  for (const name of filled?.names ?? []) give(join(filled?.folder ?? "", name), "read");
  for (const path of [folder, command.cwd, ...writable]) give(path, "write");
  for (const path of confinement.readOnly ?? []) give(path, "read");
  if (places.objects !== undefined) give(places.objects, "read");
  for (const path of confinement.writableWithin ?? []) give(path, "write");
}

/** The path of the user's git configuration without its secrets, for commands in the sandbox. */
export function gitConfigPath({ scratch }: SandboxPlaces): string {
  return join(scratch, "gitconfig");
}

/** The temporary folder for commands in a clone: on disk, and removed before the next command there. */
export function temporaryFolder({ scratch }: SandboxPlaces, clone: string): string {
  return join(scratch, `tmp-${basename(clone)}`);
}

/**
 * Links a copy of a file that its program replaces by renaming, which is impossible on a mount. The program's
 * changes are lost, and the user's own file stays unchanged.
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
    world.files.makeScratchDirectory(join(places.scratch, "files"));
    world.files.replace(copy, bytes);
  }
  mounts.set(path, { kind: "link", to: copy });
  mounts.set(join(places.scratch, "files"), { kind: "write" });
}
