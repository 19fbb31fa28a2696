import { refuseWrites } from "../../home/write-fence.ts";
import { FileFailure } from "../../base/ports/files.ts";
import { ONCE_VARIABLE } from "../../base/ports/executor.ts";
import type { Cli, LoadedCommand, Outcome } from "../../terminal/cli.ts";
import { findSession } from "../../workspace/find-session.ts";
import type { ActingCommand } from "./acting-command.ts";

/**
 * Runs a command that changes a session: here if the session runs here, else at its place. Refuses it if the session
 * moved away from here.
 */
export async function runWhereItRuns(
  cli: Cli,
  acting: ActingCommand,
  here: LoadedCommand,
): Promise<Outcome> {
  const found = findSession(cli.host.files, cli.cwd, acting.session);
  // The command itself says best what is wrong with a name.
  if (!found.ok) return here(cli);
  if (found.value.mirrors === undefined) {
    const owned = refuseWrites(cli.host.files, found.value.home);
    // What cannot be read in a home the command says itself, or repairs. One that is begun again may have done all that
    // it had to before the session moved: it finds that out itself.
    const isLeftToIt = owned.ok || FileFailure.is(owned.failure);
    return isLeftToIt || cli.env[ONCE_VARIABLE] !== undefined ? here(cli) : owned;
  }
  const { forwardCommand } = await import("./forward-command.ts");
  return forwardCommand(cli, found.value, acting);
}
