import { refuseWrites } from "../../home/write-fence.ts";
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
    // One that is begun again may have done all that it had to before the session moved: it finds that out itself.
    return owned.ok || cli.env[ONCE_VARIABLE] !== undefined ? here(cli) : owned;
  }
  const { forwardCommand } = await import("./forward-command.ts");
  return forwardCommand(cli, found.value, acting);
}
