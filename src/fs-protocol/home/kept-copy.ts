import { join } from "node:path";
import type { Role } from "../../base/role.ts";
import type { SessionJson } from "./session-json.ts";

type Kept = Pick<SessionJson, "state" | "createdAt">;

/** Where a role, or the supervisor, keeps a copy of its log outside of the session's home. */
export function keptCopyPath(session: Kept, role: Role | "supervisor"): string {
  return join(session.state, role, "kept", `${stampOf(session)}-${role}.log`);
}

/** Where the copy of a file lies that several processes write, by the name of the file in the home. */
export function sharedCopyPath(session: Kept, name: string): string {
  return join(session.state, "kept", `${stampOf(session)}-${name}`);
}

/** The copies of staged plans, each by the name that it has in `plans/`. */
export function planCopies({ state }: Pick<Kept, "state">): string {
  return join(state, "plans");
}

/** The copy of `session.json`: by it a session is found whose home was removed. */
export function sessionCopyPath({ state }: Pick<Kept, "state">): string {
  return join(state, "session.json");
}

/** Another session may once have had the same name. */
function stampOf({ createdAt }: Pick<Kept, "createdAt">): string {
  return createdAt.replace(/[:.]/g, "-");
}
