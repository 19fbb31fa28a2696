import { join } from "node:path";
import { need } from "../../base/fatal.ts";
import { requestPath } from "../../fs-protocol/home.ts";
import type { SessionState } from "../../fs-protocol/session-state.ts";
import { diffFiles } from "../../git/diff-files.ts";
import type { RoleContext } from "../role-context.ts";

/**
 * What a person changed in the request since the plan in force was made, as a diff in a file beside the
 * plan's draft; its path. Undefined: nothing, or the text before was not kept.
 */
export async function requestChanges(
  { ports, home, session, env }: RoleContext<"planner">,
  { builder, human }: SessionState,
): Promise<string | undefined> {
  if (builder.planRequest < 0 || builder.planRequest >= human.updates) return undefined;
  const before = requestPath(home, builder.planRequest);
  if (ports.files.stat(before) === undefined) return undefined;
  const pair = { before, after: home.request };
  const diff = need(await diffFiles({ environment: env }, session.repository, pair));
  const path = join(session.state, "planner", "tasks", "request.diff");
  need(ports.files.replace(path, Buffer.from(diff)));
  return path;
}
