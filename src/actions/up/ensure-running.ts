import { CannotGoOn, need } from "../../base/fatal.ts";
import { homeHost } from "../../work/home-host.ts";
import { ROLES } from "../../base/role.ts";
import type { World } from "../../workspace/world.ts";
import { runningOther } from "../../workspace/session/other-program.ts";
import { readLeases } from "../../workspace/session/read-leases.ts";
import type { FoundSession } from "../../workspace/sessions.ts";
import { supervisorCommand } from "../../views/next/supervisor-command.ts";
import { hasFailed, supervisorGone } from "./supervisor-gone.ts";

/**
 * After an append to human.log, starts a supervisor if no process is there to read it. The record
 * is appended before the lease is checked. A stopped session stays stopped.
 */
export async function ensureRunning(
  world: World,
  found: FoundSession,
  { isStopped }: { readonly isStopped: boolean },
): Promise<void> {
  const { id } = found.session;
  // It goes on elsewhere, by itself.
  if (found.mirrors !== undefined) return;
  if (isStopped) {
    world.tell(`${id} is stopped. To continue: wisp up ${id}`);
    return;
  }
  const alive = await readLeases(world.host, found.home);
  if (alive.has("supervisor") || ROLES.every((role) => alive.has(role))) return;
  if (runningOther(world, found.home) !== undefined) {
    world.tell(
      `Roles of another version of wisp are at work. To go on with this one: wisp up ${id}`,
    );
    return;
  }
  const { takeEdit } = await import("./take-edit.ts");
  await takeEdit(world, found);
  const { ensureSupervisor } = await import("../../agents/supervisor/ensure-supervisor.ts");
  const supervisor = supervisorCommand(world, found);
  const ensured = need(
    await ensureSupervisor(homeHost(world.host, found), {
      home: found.home,
      supervisor,
    }),
  );
  if (hasFailed(ensured)) throw new CannotGoOn(supervisorGone(world, found));
  world.tell(`The session continues. To watch it: wisp up ${id}`);
}
