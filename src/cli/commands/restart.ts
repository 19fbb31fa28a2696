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
import { roleNeeded } from "../../workspace/role-and-session.ts";
import { endOf } from "../../session/state/end-in-force.ts";

/**
 * `wisp restart`: asks the supervisor to have a role's process end, its engine interrupted, and to
 * start another, also where the role was given up. Without a supervisor the process is asked directly,
 * and a person is told how to start another.
 */
export async function restart(
  cli: Cli,
  options: {
    /** A role, and a session. */
    readonly words: readonly string[];
    readonly dryRun: boolean;
  },
): Promise<Outcome> {
  const { host, terminal } = cli;
  const { role, session: named } = need(roleNeeded("restart", options.words));
  const { found, state } = await sessionFor(cli, "restart", named);
  const { home, session } = found;
  const end = endOf(state);
  if (end !== undefined) {
    terminal.err(`${session.id} has ended: it is ${end.how}. There is nothing to restart.`);
    return ok(EXIT.ok);
  }
  if (options.dryRun) {
    terminal.err(`Would restart the ${role} of ${session.id}. Nothing was done.`);
    return ok(EXIT.ok);
  }
  need(await appendHuman(cli, found, () => ({ kind: "restart", role })));
  // Asked for first, looked at afterwards: a supervisor that is there now reads it before it leaves.
  if (await host.locks.isLeaseHeld(leasePath(home, "supervisor"))) {
    terminal.err(`The ${role} is restarted. To see what it does: wisp logs ${role} --follow`);
    return ok(EXIT.ok);
  }
  terminal.err(
    interrupt(host, home, role)
      ? `The ${role} is interrupted, but nobody supervises ${session.id}, so nobody starts it again.`
      : `Nobody supervises ${session.id}, and no ${role} runs.`,
  );
  terminal.err(`To start it: wisp up ${session.id}, or alone: wisp agent ${role} ${session.id}`);
  return ok(EXIT.failure);
}

/** Whether there was a process to ask. */
function interrupt({ files, processes }: Host, home: Home, role: Role): boolean {
  const holder = readHolder(files, leasePath(home, role));
  if (holder === undefined || !isHolderAlive(holder)) return false;
  return processes.signal(holder.pid, "SIGTERM");
}
