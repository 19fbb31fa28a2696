import { homeHost } from "../../agents/work/home-host.ts";
import { ROLES } from "../../base/role.ts";
import { fail, ok, type Result } from "../../base/result.ts";
import type { SpawnFailure } from "../../base/ports/processes.ts";
import type { Cli } from "../../workspace/cli.ts";
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
  cli: Cli,
  found: FoundSession,
  { isStopped }: { readonly isStopped: boolean },
): Promise<Result<void, SpawnFailure | SupervisorGone | EditFailure>> {
  const { id } = found.session;
  if (isStopped) {
    cli.terminal.err(`A stop is in force. To go on: wisp up ${id}`);
    return ok(undefined);
  }
  const alive = await readLeases(cli.host, found.home);
  if (alive.has("supervisor") || ROLES.every((role) => alive.has(role))) return ok(undefined);
  const { takeEdit } = await import("./take-edit.ts");
  const edit = await takeEdit(cli, found);
  if (!edit.ok) return edit;
  const { ensureSupervisor } = await import("../../agents/supervisor/ensure-supervisor.ts");
  const supervisor = supervisorCommand(cli, found);
  const ensured = await ensureSupervisor(homeHost(cli.host, found), {
    home: found.home,
    supervisor,
  });
  if (!ensured.ok) return ensured;
  if (hasFailed(ensured.value)) return fail(supervisorGone(cli, found));
  cli.terminal.err(`The session goes on. To watch it: wisp up ${id}`);
  return ok(undefined);
}
