import { homeHost } from "../../agents/work/home-host.ts";
import { ROLES } from "../../base/role.ts";
import { fail, ok, type Result } from "../../base/result.ts";
import type { SpawnFailure } from "../../base/ports/processes.ts";
import type { World } from "../../workspace/world.ts";
import { readLeases } from "../../workspace/session/read-leases.ts";
import type { FoundSession } from "../../workspace/sessions.ts";
import { supervisorCommand } from "../../views/next/supervisor-command.ts";
import { hasFailed, supervisorGone, type SupervisorGone } from "./supervisor-gone.ts";
import type { EditFailure } from "./take-edit.ts";

/**
 * After something was appended to human.log: when nobody is there to read it, a supervisor is started
 * (appended first, then looked for the lease: coordination, R14). A stop in force is respected.
 */
export async function goOn(
  world: World,
  found: FoundSession,
  { isStopped }: { readonly isStopped: boolean },
): Promise<Result<void, SpawnFailure | SupervisorGone | EditFailure>> {
  const { id } = found.session;
  if (isStopped) {
    world.tell(`A stop is in force. To go on: wisp up ${id}`);
    return ok(undefined);
  }
  const alive = await readLeases(world.host, found.home);
  if (alive.has("supervisor") || ROLES.every((role) => alive.has(role))) return ok(undefined);
  const { takeEdit } = await import("./take-edit.ts");
  const edit = await takeEdit(world, found);
  if (!edit.ok) return edit;
  const { ensureSupervisor } = await import("../../agents/supervisor/ensure-supervisor.ts");
  const supervisor = supervisorCommand(world, found);
  const ensured = await ensureSupervisor(homeHost(world.host, found), {
    home: found.home,
    supervisor,
  });
  if (!ensured.ok) return ensured;
  if (hasFailed(ensured.value)) return fail(supervisorGone(world, found));
  world.tell(`The session goes on. To watch it: wisp up ${id}`);
  return ok(undefined);
}
