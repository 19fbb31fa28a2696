import type { RoleContext } from "../../work/role-context.ts";

/** Whether build, verify and the like get `CI=true` from wisp, and not a value of the person's. */
export function givesCi({ session, env }: Pick<RoleContext, "session" | "env">): boolean {
  return session.commands?.ci === true && env["CI"] === undefined;
}
