import type { Command } from "../../base/ports/processes.ts";
import { wispArgv, type Cli } from "../../workspace/cli.ts";
import type { FoundSession } from "../../workspace/sessions.ts";

/** How the supervisor of a session is started; it learns from the environment whether somebody can be asked. */
export function supervisorCommand(cli: Cli, { session }: FoundSession): Command {
  const noInput = cli.terminal.isInteractive ? {} : { WISP_NO_INPUT: "1" };
  return {
    argv: wispArgv(cli, "supervise", session.id),
    cwd: session.repository,
    env: { ...cli.env, ...noInput },
  };
}
