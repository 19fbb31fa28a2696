import { need } from "../../base/fatal.ts";
import { requestPath } from "../../fs-protocol/home.ts";
import type { SessionState } from "../../fs-protocol/session-state.ts";
import { diffFiles } from "../../git/diff-files.ts";
import type { RoleContext } from "../role-context.ts";

/**
 * What a person changed in the request since the plan in force was made, as a diff. Undefined: nothing, or the
 * text before was not kept.
 */
export async function requestDiff(
  { ports, home, session, env }: RoleContext<"planner">,
  { builder, human }: SessionState,
): Promise<string | undefined> {
  if (builder.planRequest < 0 || builder.planRequest >= human.updates) return undefined;
  const before = requestPath(home, builder.planRequest);
  if (ports.files.stat(before) === undefined) return undefined;
  const pair = { before, after: home.request };
  return need(await diffFiles({ environment: env }, session.repository, pair));
}
