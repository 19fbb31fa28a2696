import { CannotGoOn, need } from "../../base/fatal.ts";
import { homeHost } from "../../agents/work/home-host.ts";
import { ROLES } from "../../base/role.ts";
import type { World } from "../../workspace/world.ts";
import { readLeases } from "../../workspace/session/read-leases.ts";
import type { FoundSession } from "../../workspace/sessions.ts";
import { supervisorCommand } from "../../views/next/supervisor-command.ts";
import { hasFailed, supervisorGone } from "./supervisor-gone.ts";

/**
 * After something was appended to human.log: when nobody is there to read it, a supervisor is started
 * (appended first, then looked for the lease: coordination, R14). A stop in force is respected.
 */
export async function goOn(
  world: World,
  found: FoundSession,
  { isStopped }: { readonly isStopped: boolean },
): Promise<void> {
  const { id } = found.session;
  if (isStopped) {
    world.tell(`A stop is in force. To go on: wisp up ${id}`);
    return;
  }
  const alive = await readLeases(world.host, found.home);
  if (alive.has("supervisor") || ROLES.every((role) => alive.has(role))) return;
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
  world.tell(`The session goes on. To watch it: wisp up ${id}`);
}
