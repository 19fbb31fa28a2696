import { ROLES } from "../base/role.ts";
import { clonesDirectory } from "../fs-protocol/home/session-json.ts";
import type { World } from "./world.ts";
import type { FoundSession } from "./sessions.ts";

/** A role's clones, one for each lane. */
const CLONE = /^clone(?:-\d+)?$/u;

/** Whether a name in the folder of a role's clones is a clone's. */
export function isCloneName(name: string): boolean {
  return CLONE.test(name);
}

/**
 * Whether a session has clones. If it has none, they are created at the same paths when they are
 * needed.
 */
export function hasClones({ host }: Pick<World, "host">, { session }: FoundSession): boolean {
  return ROLES.some((role) => {
    const names = host.files.list(clonesDirectory(session, role));
    return names.ok && names.value.some(isCloneName);
  });
}

/** Entries next to a clone: its git settings, a clone being created and one being removed. */
const BESIDE = /^(?<clone>clone(?:-\d+)?)\.(?<what>config|making|gone)$/u;

/**
 * Whether a killed process left parts of clones that it was creating or removing: they hold no
 * work. `names` are those in the folder of a role's clones.
 */
export function hasRemains(names: readonly string[]): boolean {
  return names.some((name) => isRemains(name, names));
}

/** Whether this entry is such a part. */
export function isRemains(name: string, names: readonly string[]): boolean {
  const found = BESIDE.exec(name)?.groups;
  if (found === undefined) return false;
  const { clone = "", what } = found;
  return what !== "config" || !names.includes(clone);
}
