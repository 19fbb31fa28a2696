import { sessionFor } from "../../workspace/session/session-for.ts";
import { need } from "../../base/fatal.ts";
import { EXIT } from "../../base/exit-code.ts";
import { ok } from "../../base/result.ts";
import type { Role } from "../../base/role.ts";
import { appendHuman } from "../../workspace/session/append-human.ts";
import type { Cli, Outcome } from "../../terminal/cli.ts";
import { readLeases } from "../../workspace/session/read-leases.ts";
import { rolesAtWork } from "../../workspace/session/role-activity.ts";
import { endOf } from "../../session/state/end-in-force.ts";

/** `wisp stop`: every agent finishes its current turn and ends; nothing is lost. */
export async function stop(
  cli: Cli,
  options: { readonly session: string | undefined; readonly dryRun: boolean },
): Promise<Outcome> {
  const { host, terminal } = cli;
  const { found, state } = await sessionFor(cli, "stop", options.session);
  const { home, session } = found;
  const end = endOf(state);
  if (end !== undefined) {
    terminal.err(`${session.id} has already ended: it is ${end.how}. There is nothing to stop.`);
    return ok(EXIT.ok);
  }
  if (options.dryRun) {
    const isAsked = state.human.stopped;
    terminal.err(isAsked ? `${session.id} is already stopping.` : `Would stop ${session.id}.`);
    terminal.err("Nothing was done.");
    return ok(EXIT.ok);
  }
  const appended = need(
    await appendHuman(cli, found, ({ stopped }) => (stopped ? undefined : { kind: "stop" })),
  );
  const working = rolesAtWork({ state, alive: await readLeases(host, home) });
  const what = appended.isAppended
    ? `Stopping ${session.id}`
    : `${session.id} was already asked to stop`;
  terminal.err(
    working.length === 0 ? `${what}; no turn is running.` : `${what}; ${finishWords(working)}.`,
  );
  terminal.err(`To continue: wisp up ${session.id}`);
  return ok(EXIT.ok);
}

function finishWords(working: readonly Role[]): string {
  const [first = "", ...others] = working;
  return others.length === 0
    ? `the ${first} finishes its turn first`
    : `the ${[first, ...others].join(", the ")} finish their turns first`;
}
