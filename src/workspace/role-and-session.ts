import { Usage } from "./usage.ts";
import { fail, ok, type Result } from "../base/result.ts";
import { ROLES, type Role } from "../base/role.ts";

/** The parsed arguments of a command. */
export interface RoleAndSession<R extends string = Role> {
  readonly role: R | undefined;
  readonly session: string | undefined;
}

/** What was typed after a command that takes a role and a session. */
export interface TypedNames {
  /** A role, a session, or both, in either order. */
  readonly words: readonly string[];
  /** The value of `--session`, by which a session can be named that is called like a role. */
  readonly session: string | undefined;
}

/** A role, a session, or both. */
export function roleAndSession(command: string, typed: TypedNames): Result<RoleAndSession, Usage> {
  return nameAndSession(command, typed, ROLES);
}

/** One of the names, a session, or both. */
export function nameAndSession<R extends string>(
  command: string,
  { words, session: option }: TypedNames,
  names: readonly R[],
): Result<RoleAndSession<R>, Usage> {
  const role = names.find((one) => words.includes(one));
  const at = role === undefined ? -1 : words.findIndex((word) => word === role);
  const rest = words.filter((_, index) => index !== at);
  const [session, ...more] = new Set([...rest, ...(option === undefined ? [] : [option])]);
  if (more.length === 0) return ok({ role, session });
  const all = [...words, ...(option === undefined ? [] : ["--session", option])];
  const problem = `one role (${names.join(", ")}) and one session: ${all.join(" ")}`;
  return fail(Usage({ problem: `wisp ${command} takes ${problem}` }));
}

/** A role, and optionally a session. */
export function roleNeeded(
  command: string,
  typed: TypedNames,
): Result<RoleAndSession & { readonly role: Role }, Usage> {
  const named = roleAndSession(command, typed);
  if (!named.ok) return named;
  const { role, session } = named.value;
  if (role !== undefined) return ok({ role, session });
  const problem = `wisp ${command} needs a role (${ROLES.join(", ")}), and ${typed.words.join(" ")} is not one`;
  return fail(Usage({ problem }));
}
