import { ROLES } from "../base/role.ts";
import { clonesDirectory } from "../fs-protocol/home/session-json.ts";
import type { World } from "./world.ts";
import type { FoundSession } from "./sessions.ts";

/** A role's clones, each a lane of its own. */
const CLONE = /^clone(?:-\d+)?$/u;

/** Whether a name below a role's clones is that of one. */
export function isCloneName(name: string): boolean {
  return CLONE.test(name);
}

/** Whether a session has clones: without, they are made when somebody needs them, at the same paths. */
export function hasClones({ host }: Pick<World, "host">, { session }: FoundSession): boolean {
  return ROLES.some((role) => {
    const names = host.files.list(clonesDirectory(session, role));
    return names.ok && names.value.some(isCloneName);
  });
}
