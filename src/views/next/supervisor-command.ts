import type { Command } from "../../base/ports/processes.ts";
import { wispArgv, type World } from "../../workspace/world.ts";
import type { FoundSession } from "../../workspace/sessions.ts";

/** How the supervisor of a session is started; it learns from the environment whether somebody can be asked. */
export function supervisorCommand(world: World, { session }: FoundSession): Command {
  const noInput = world.ask !== undefined ? {} : { WISP_NO_INPUT: "1" };
  return {
    argv: wispArgv(world, "supervise", session.id),
    cwd: session.repository,
    env: { ...world.env, ...noInput },
  };
}
