import { join } from "node:path";
import { protectedInHome } from "./engine-folders.ts";
import type { MountFacts } from "./mount-facts.ts";
import { isWithin, type Mounts } from "./mounts.ts";
import { hide } from "./open-home.ts";
import { SYSTEM_PROTECTED } from "./protected-places.ts";
import { givenPlaces } from "./settings-paths.ts";
import type { SandboxWorld } from "./world.ts";

/**
 * Lays what is protected over everything that was shown so far: whatever shows a folder does not show what is
 * protected in it. But for what the settings name by its own path: a folder above it is not enough.
 */
export function protect(facts: MountFacts, mounts: Mounts): void {
  const { world, places, confinement } = facts;
  const given = givenPlaces(facts);
  const needed = [...places.homes, places.repository, confinement.command.cwd];
  const real = needed.flatMap((path) => world.tree.realPath(path) ?? []);
  // A protected name that leads to a whole home protects nothing.
  const secrets = secretPlaces(facts).filter((place) => !real.some((one) => isWithin(one, place)));
  for (const place of [...secrets, ...stateFolders(facts)]) {
    if (given.some(({ path }) => path === place)) continue;
    mounts.clear(place);
    hide(world, mounts, place);
    const inside = given.filter(({ path }) => isWithin(path, place));
    for (const { path, mount } of inside) mounts.set(path, mount);
  }
}

/** What nobody is to see: secrets of the person and of the machine, and what wisp keeps. Without links. */
export function protectedPlaces(facts: MountFacts): readonly string[] {
  return [...secretPlaces(facts), ...stateFolders(facts)];
}

/** Those that exist, and those that may yet. */
function secretPlaces({ world, places }: MountFacts): readonly string[] {
  const inHomes = places.homes.flatMap((home) =>
    protectedInHome(world.engines).map((path) => join(home, path)),
  );
  return withoutLinks(world, [...SYSTEM_PROTECTED, ...inHomes]);
}

function stateFolders({ world, places }: MountFacts): readonly string[] {
  return withoutLinks(world, places.state);
}

function withoutLinks({ tree }: SandboxWorld, paths: readonly string[]): readonly string[] {
  const real = paths.flatMap((path) => tree.realPath(path) ?? []);
  return [...new Set([...paths, ...real])].filter((path) => path !== "/").sort();
}
