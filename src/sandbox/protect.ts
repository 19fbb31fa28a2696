import { join } from "node:path";
import { protectedInHome } from "./engine-folders.ts";
import type { MountFacts } from "./mount-facts.ts";
import { isWithin, type Mounts } from "./mounts.ts";
import { hide } from "./open-home.ts";
import { SYSTEM_PROTECTED } from "./protected-places.ts";
import { givenPlaces } from "./settings-paths.ts";
import type { SandboxWorld } from "./world.ts";

/**
 * Hides protected places on top of everything shown so far: a rule that shows a folder does not show protected
 * places inside it. Places that the settings give by their own path stay visible; a folder above is not enough.
 */
export function protect(facts: MountFacts, mounts: Mounts): void {
  const { world, places, confinement } = facts;
  const given = givenPlaces(facts);
  const needed = [...places.homes, places.repository, confinement.command.cwd];
  const real = needed.flatMap((path) => world.tree.realPath(path) ?? []);
  // Ignore a protected name that leads to a whole home, a checkout or the clone.
  const secrets = secretPlaces(facts).filter((place) => !real.some((one) => isWithin(one, place)));
  for (const place of [...secrets, ...stateFolders(facts)]) {
    if (given.some(({ path }) => path === place)) continue;
    mounts.clear(place);
    hide(world, mounts, place);
    const inside = given.filter(({ path }) => isWithin(path, place));
    for (const { path, mount } of inside) mounts.set(path, mount);
  }
}

/**
 * The places hidden from everyone: secrets of the user and the machine, and wisp's own state. Links are resolved.
 */
export function protectedPlaces(facts: MountFacts): readonly string[] {
  return [...secretPlaces(facts), ...stateFolders(facts)];
}

/** Secret places, whether or not they exist yet. */
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
