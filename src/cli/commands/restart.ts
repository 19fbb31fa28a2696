import { sessionFor } from "../../workspace/session/session-for.ts";
import { need } from "../../base/fatal.ts";
import { EXIT } from "../../base/exit-code.ts";
import { ok } from "../../base/result.ts";
import type { Role } from "../../base/role.ts";
import { leasePath, type Home } from "../../fs-protocol/home/home.ts";
import type { Host } from "../../host/host.ts";
import { isHolderAlive, readHolder } from "../../host/locks/lease-holder.ts";
import { appendHuman } from "../../workspace/session/append-human.ts";
import type { Cli, Outcome } from "../../terminal/cli.ts";
import { roleNeeded, type TypedNames } from "../../workspace/role-and-session.ts";
import { endOf } from "../../session/state/end-in-force.ts";

/**
 * `wisp restart`: asks the supervisor to interrupt a role's engine, end its process and
 * start another, even after a crash loop. Without a supervisor the process is asked directly,
 * and a message says how to start another.
 */
export async function restart(
  cli: Cli,
  options: TypedNames & { readonly dryRun: boolean },
): Promise<Outcome> {
  const { host, terminal } = cli;
  const { role, session: named } = need(roleNeeded("restart", options));
  const { found, state } = await sessionFor(cli, "restart", named);
  const { home, session } = found;
  const end = endOf(state);
  if (end !== undefined) {
    terminal.err(`${session.id} has already ended: it is ${end.how}. There is nothing to restart.`);
    return ok(EXIT.ok);
  }
  if (options.dryRun) {
    terminal.err(`Would restart the ${role} of ${session.id}. Nothing was done.`);
    return ok(EXIT.ok);
  }
  need(await appendHuman(cli, found, () => ({ kind: "restart", role })));
  // Recorded before the check: a supervisor that is alive at the check reads the request before it ends.
  if (await host.locks.isLeaseHeld(leasePath(home, "supervisor"))) {
    terminal.err(`Restarting the ${role}. To see what it does: wisp logs ${role} --follow`);
    return ok(EXIT.ok);
  }
  terminal.err(
    interrupt(host, home, role)
      ? `The ${role} is being interrupted, but ${session.id} has no supervisor to start it again.`
      : `${session.id} has no supervisor, and its ${role} is not running.`,
  );
  terminal.err(
    `To start the session: wisp up ${session.id}. To start only this role: wisp agent ${role} ${session.id}`,
  );
  return ok(EXIT.failure);
}

/** Whether there was a process to ask. */
function interrupt({ files, processes }: Host, home: Home, role: Role): boolean {
  const holder = readHolder(files, leasePath(home, role));
  if (holder === undefined || !isHolderAlive(holder)) return false;
  return processes.signal(holder.pid, "SIGTERM");
}
