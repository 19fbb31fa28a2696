import { Usage } from "./usage.ts";
import { fail, ok, type Result } from "../base/result.ts";
import { ROLES, type Role } from "../base/role.ts";

/** The parsed arguments of a command. */
export interface RoleAndSession<R extends string = Role> {
  readonly role: R | undefined;
  readonly session: string | undefined;
}

/** A role, a session, or both, in either order. */
export function roleAndSession(
  command: string,
  words: readonly string[],
): Result<RoleAndSession, Usage> {
  return nameAndSession(command, words, ROLES);
}

/** One of the names, a session, or both, in either order. */
export function nameAndSession<R extends string>(
  command: string,
  words: readonly string[],
  names: readonly R[],
): Result<RoleAndSession<R>, Usage> {
  const role = names.find((one) => words.includes(one));
  const at = role === undefined ? -1 : words.findIndex((word) => word === role);
  const [session, ...more] = words.filter((_, index) => index !== at);
  if (more.length === 0) return ok({ role, session });
  const problem = `one role (${names.join(", ")}) and one session: ${words.join(" ")}`;
  return fail(Usage({ problem: `wisp ${command} takes ${problem}` }));
}

/** A role, and optionally a session, in either order. */
export function roleNeeded(
  command: string,
  words: readonly string[],
): Result<RoleAndSession & { readonly role: Role }, Usage> {
  const named = roleAndSession(command, words);
  if (!named.ok) return named;
  const { role, session } = named.value;
  if (role !== undefined) return ok({ role, session });
  const problem = `wisp ${command} needs a role (${ROLES.join(", ")}), and ${words.join(" ")} is not one`;
  return fail(Usage({ problem }));
}
