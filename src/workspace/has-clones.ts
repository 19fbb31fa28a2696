import { basename, dirname, join } from "node:path";
import { need } from "../base/fatal.ts";
import { ROLES } from "../base/role.ts";
import { storeBeside } from "../fs-protocol/home/shared-objects.ts";
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
  return clonesOf({ host }, session).length > 0;
}

/** The tops of the clones that a session has now. */
export function clonesOf(
  { host }: Pick<World, "host">,
  session: FoundSession["session"],
): readonly string[] {
  return ROLES.flatMap((role) => {
    const above = clonesDirectory(session, role);
    const names = host.files.list(above);
    return names.ok ? names.value.filter(isCloneName).map((name) => join(above, name)) : [];
  });
}

/**
 * Whether any session of this session's repository has a clone or a verify tree, or a part of one
 * that is being made or was moved aside.
 */
export function hasClonesBeside(
  { host: { directories } }: Pick<World, "host">,
  session: FoundSession["session"],
): boolean {
  const foldersIn = (path: string) => {
    // What cannot be listed may hold a clone.
    const all = need(directories.entries(path));
    return all.filter(({ kind }) => kind === "directory").map(({ name }) => join(path, name));
  };
  const sessions = foldersIn(dirname(storeBeside(session)));
  return sessions
    .filter((path) => !basename(path).startsWith("."))
    .some((state) => {
      const trees = foldersIn(join(state, "verify")).flatMap(foldersIn);
      const clones = ROLES.flatMap((role) => foldersIn(join(state, role)));
      return [...trees, ...clones].some((path) => /^(?:clone|tree)\b/u.test(basename(path)));
    });
}

/** Entries next to a clone: its git settings, what is known of its submodules, what
 * steers agents in its place, a clone being created and one being removed. */
const BESIDE =
  /^(?<clone>clone(?:-\d+)?)\.(?<what>config|submodules|steering|making(?:-[0-9a-f]+)?|gone)$/u;

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
  const isOfClone = what === "config" || what === "submodules" || what === "steering";
  return !isOfClone || !names.includes(clone);
}
