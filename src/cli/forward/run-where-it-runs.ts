import type { Cli, LoadedCommand, Outcome } from "../../terminal/cli.ts";
import { findSession } from "../../workspace/find-session.ts";
import type { ActingCommand } from "./acting-command.ts";

/** Runs a command that changes a session: here if the session runs here, else at its place. */
export async function runWhereItRuns(
  cli: Cli,
  acting: ActingCommand,
  here: LoadedCommand,
): Promise<Outcome> {
  const found = findSession(cli.host.files, cli.cwd, acting.session);
  // The command itself says best what is wrong with a name.
  if (!found.ok || found.value.mirrors === undefined) return here(cli);
  const { forwardCommand } = await import("./forward-command.ts");
  return forwardCommand(cli, found.value, acting);
}
