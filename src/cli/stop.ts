import { ok } from "../base/result.ts";
import { appendHuman } from "./append-human.ts";
import type { Cli, Outcome } from "./cli.ts";
import { EXIT } from "./exit-codes.ts";
import { findSession } from "./find-session.ts";
import { readLeases } from "./read-leases.ts";
import { readState } from "./read-state.ts";
import { endOf } from "./session-end.ts";

/** `wisp stop`: everybody leaves at the end of what they are doing; nothing is lost. */
export async function stop(
  cli: Cli,
  options: { readonly session: string | undefined },
): Promise<Outcome> {
  const { host, terminal } = cli;
  const found = findSession(host.files, cli.cwd, options.session);
  if (!found.ok) return found;
  const { home, session } = found.value;
  const read = await readState(cli, found.value);
  if (!read.ok) return read;
  const end = endOf(read.value.state);
  if (end !== undefined) {
    terminal.err(`${session.id} has ended: it is ${end.how}. There is nothing to stop.`);
    return ok(EXIT.ok);
  }
  const said = await appendHuman(host, home, ({ stopped }) =>
    stopped ? undefined : { kind: "stop" },
  );
  if (!said.ok) return said;
  const alive = [...(await readLeases(host, home))].filter((holder) => holder !== "supervisor");
  const what = said.value.isAppended ? "A stop is asked for" : "A stop was asked for before";
  terminal.err(
    alive.length === 0
      ? `${what}; nobody is at work.`
      : `${what}; at work until the end of their turn: ${alive.join(", ")}.`,
  );
  terminal.err(`To go on: wisp up ${session.id}`);
  return ok(EXIT.ok);
}
