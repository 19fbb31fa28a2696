import { join } from "node:path";
import { protectedInHome } from "./engine-folders.ts";
import type { MountFacts } from "./mount-facts.ts";
import { isWithin, type Mounts } from "./mounts.ts";
import { hide } from "./open-home.ts";
import { SYSTEM_PROTECTED } from "./protected-places.ts";
import type { Given } from "./settings-paths.ts";
import type { SandboxWorld } from "./world.ts";

/**
 * Hides protected places on top of everything shown so far: a rule that shows a folder does not show protected
 * places inside it. Places that the settings give by their own path stay visible; a folder above is not enough.
 */
export function protect(
  { world, places, confinement }: MountFacts,
  mounts: Mounts,
  { closed, given }: { readonly closed: ProtectedPlaces; readonly given: readonly Given[] },
): void {
  const needed = [...places.homes, places.repository, confinement.command.cwd];
  const real = needed.flatMap((path) => world.tree.realPath(path) ?? []);
  // Ignore a protected name that leads to a whole home, a checkout or the clone.
  const secrets = closed.secrets.filter((place) => !real.some((one) => isWithin(one, place)));
  for (const place of [...secrets, ...closed.state]) {
    if (given.some(({ path }) => path === place)) continue;
    mounts.clear(place);
    hide(world, mounts, place);
    const inside = given.filter(({ path }) => isWithin(path, place));
    for (const { path, mount } of inside) mounts.set(path, mount);
  }
}

/** The places hidden from everyone, each also by its path without links. */
export interface ProtectedPlaces {
  /** Secrets of the user and the machine, whether or not they exist yet. */
  readonly secrets: readonly string[];
  /** The folders of wisp's own state. */
  readonly state: readonly string[];
}

/** Finds the places hidden from everyone. */
export function protectedPlaces(facts: MountFacts): ProtectedPlaces {
  return { secrets: secretPlaces(facts), state: withoutLinks(facts.world, facts.places.state) };
}

function secretPlaces({ world, places }: MountFacts): readonly string[] {
  const inHomes = places.homes.flatMap((home) =>
    protectedInHome(world.engines).map((path) => join(home, path)),
  );
  return withoutLinks(world, [...SYSTEM_PROTECTED, ...inHomes]);
}

function withoutLinks({ tree }: SandboxWorld, paths: readonly string[]): readonly string[] {
  const real = paths.flatMap((path) => tree.realPath(path) ?? []);
  return [...new Set([...paths, ...real])].filter((path) => path !== "/").sort();
}
