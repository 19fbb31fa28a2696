import type { Command } from "../../base/ports/processes.ts";
import { lastingArgv } from "../../workspace/lasting-program.ts";
import type { World } from "../../workspace/world.ts";
import type { FoundSession } from "../../workspace/sessions.ts";

/** The command that starts the supervisor of a session. The environment tells it whether a person can be asked. */
export function supervisorCommand(
  world: World,
  { session }: { readonly session: Pick<FoundSession["session"], "id" | "repository"> },
): Command {
  const noInput = world.ask !== undefined ? {} : { WISP_NO_INPUT: "1" };
  return {
    argv: lastingArgv(world, "supervise", session.id),
    cwd: session.repository,
    env: { ...world.env, ...noInput },
  };
}
