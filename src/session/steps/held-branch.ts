import { ROLES } from "../../base/role.ts";
import type { SessionState } from "../state/session-state.ts";

/** A unit that is done and cannot be published, because somebody has the session branch checked out. */
export interface HeldBranch {
  readonly unit: string;
  /** The work tree that has it. */
  readonly directory: string;
}

/** The first such unit; undefined if there is none. */
export function heldBranch(state: SessionState): HeldBranch | undefined {
  const waiting = ROLES.flatMap((role) => {
    const own = state[role];
    const open = "openUnit" in own ? own.openUnit : own.open;
    return open?.heldAt === undefined ? [] : [{ unit: open.unit, directory: open.heldAt }];
  });
  return waiting[0];
}
