import { ok } from "../base/result.ts";
import { appendHuman } from "./append-human.ts";
import type { Cli, Outcome } from "./cli.ts";
import { EXIT } from "./exit-codes.ts";
import { findSession } from "./find-session.ts";
import { readLeases } from "./read-leases.ts";

/** `wisp stop`: everybody leaves at the end of what they are doing; nothing is lost. */
export async function stop(
  { host, terminal, cwd }: Cli,
  options: { readonly session: string | undefined },
): Promise<Outcome> {
  const found = findSession(host.files, cwd, options.session);
  if (!found.ok) return found;
  const { home, session } = found.value;
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
