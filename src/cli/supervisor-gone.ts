import type { EnsuredSupervisor } from "../agents/supervisor/ensure-supervisor.ts";
import type { Cli } from "./cli.ts";
import { EXIT } from "./exit-codes.ts";
import type { SupervisorGone } from "./failures.ts";
import { homeTrouble, supervisorSaid } from "./home-troubles.ts";
import type { FoundSession } from "./sessions.ts";

/** Whether a supervisor ended as soon as it was started because it could not go on. */
export function hasFailed(ensured: EnsuredSupervisor): boolean {
  return ensured.kind === "ended" && ensured.exitCode === EXIT.failure;
}

/** That a session's supervisor is gone, and why as far as can be told. */
export function supervisorGone(
  { host }: Pick<Cli, "host">,
  { home, session }: FoundSession,
): SupervisorGone {
  return {
    kind: "supervisor-gone",
    session: session.id,
    said: supervisorSaid(host.files, home),
    trouble: homeTrouble({ home, session }),
  };
}
