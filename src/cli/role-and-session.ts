import { fail, ok, type Result } from "../base/result.ts";
import { ROLES, type Role } from "../base/role.ts";
import type { Usage } from "./failures.ts";

/** What the words of a command name. */
export interface RoleAndSession {
  readonly role: Role | undefined;
  readonly session: string | undefined;
}

/** A role, a session, or both, in either order. */
export function roleAndSession(
  command: string,
  words: readonly string[],
): Result<RoleAndSession, Usage> {
  const role = ROLES.find((one) => words.includes(one));
  const at = role === undefined ? -1 : words.indexOf(role);
  const [session, ...more] = words.filter((_, index) => index !== at);
  if (more.length === 0) return ok({ role, session });
  const problem = `one role (${ROLES.join(", ")}) and one session: ${words.join(" ")}`;
  return fail({ kind: "usage", problem: `wisp ${command} takes ${problem}` });
}
