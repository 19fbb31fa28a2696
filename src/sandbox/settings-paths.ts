import { join } from "node:path";
import { foldersOfAll } from "./engine-folders.ts";
import type { MountFacts } from "./mount-facts.ts";
import { isWithin, type Mount } from "./mounts.ts";
import type { SandboxPlaces } from "./sandbox-setting.ts";
import { trustedPath } from "./trusted-path.ts";

/** A place that the settings make visible, by its path without links. */
export interface Given {
  readonly path: string;
  readonly mount: Mount;
}

/** The existing places that the settings let a command read or write. */
export function givenPlaces(facts: MountFacts): readonly Given[] {
  const { allow, write } = facts.setting;
  return [
    ...absolutePaths(facts, allow).map((path) => ({ path, mount: { kind: "read" } }) as const),
    ...absolutePaths(facts, write).map((path) => ({ path, mount: { kind: "write" } }) as const),
  ];
}

/**
 * The existing places in the checkout that the settings show by a path relative to it, without links. A place that is
 * a link out of the checkout is not one of them.
 */
export function givenInCheckout({
  world,
  setting,
  places,
}: Pick<MountFacts, "world" | "setting" | "places">): readonly string[] {
  const checkout = world.tree.realPath(places.repository);
  if (checkout === undefined) return [];
  const relative = [...setting.allow, ...setting.write].filter((path) => !/^[~/]/u.test(path));
  return relative.flatMap((path) => {
    const real = world.tree.realPath(join(checkout, path));
    return real !== undefined && real !== checkout && isWithin(real, checkout) ? [real] : [];
  });
}

/** The existing absolute paths, with links resolved, of those settings that are not relative to a tree. */
export function absolutePaths(facts: MountFacts, paths: readonly string[]): readonly string[] {
  if (paths.length === 0) return [];
  const unsafe = unsafeFolders(facts);
  return paths.flatMap((path) => {
    const full = absolutePath(path, facts.places);
    const real = full === undefined ? undefined : trustedPath(facts.world, full, unsafe);
    return real === undefined ? [] : [real];
  });
}

/** Folders that some engine may write, in this turn or another: links in them must not be followed. */
export function unsafeFolders(facts: MountFacts): readonly string[] {
  const { world, places, setting, confinement } = facts;
  const { command, writable = [] } = confinement;
  const written = setting.write.flatMap((path) => absolutePath(path, places) ?? []);
  const engines = places.homes.flatMap((home) =>
    foldersOfAll(world.engines, { home, env: command.env }),
  );
  const own = [command.cwd, places.caches, places.scratch, ...places.state, ...writable];
  const all = [...own, ...engines, ...written];
  return [...new Set([...all, ...all.flatMap((path) => world.tree.realPath(path) ?? [])])];
}

function absolutePath(path: string, { homes: [home] }: SandboxPlaces): string | undefined {
  if (path.startsWith("/")) return path;
  if (home === undefined || !/^~(?:\/|$)/u.test(path)) return undefined;
  return join(home, path.slice(1));
}
