import { EXIT } from "../../base/exit-code.ts";
import { refusal } from "../../base/failure.ts";
import { shown } from "../../base/words/shown.ts";
import type { EnsuredSupervisor } from "../../agents/supervisor/ensure-supervisor.ts";
import type { World } from "../../workspace/world.ts";
import { homeTrouble, supervisorSaid } from "../../workspace/home-troubles.ts";
import type { FoundSession } from "../../workspace/sessions.ts";

interface Gone {
  readonly session: string;
  /** The reason that the last supervisor recorded. */
  readonly said: string | undefined;
  /** What is visibly wrong with the session's home. */
  readonly trouble: string | undefined;
}

/** The supervisor of a session ended before its work was done, and so did its replacements. */
export const SupervisorGone = refusal(
  "supervisor-gone",
  EXIT.failure,
  ({ session, said, trouble }: Gone) => {
    const causes = [said, trouble].flatMap((cause) => (cause === undefined ? [] : [shown(cause)]));
    const why = causes.length === 0 ? "it gave no reason, see wisp doctor" : causes.join("; ");
    return [
      `The supervisor of ${shown(session)} ended before its work was done: ${why}.`,
      "Completed work is on record. When the cause is resolved:",
      `wisp up ${session}`,
    ];
  },
);
export type SupervisorGone = ReturnType<typeof SupervisorGone>;

/** Whether a supervisor ended right after its start because it could not continue. */
export function hasFailed(ensured: EnsuredSupervisor): boolean {
  return ensured.kind === "ended" && ensured.exitCode === EXIT.failure;
}

/** The failure for a session whose supervisor is gone, with the reason as far as it is known. */
export function supervisorGone(
  { host }: Pick<World, "host">,
  { home, session }: FoundSession,
): SupervisorGone {
  const said = supervisorSaid(host.files, home);
  return SupervisorGone({ session: session.id, said, trouble: homeTrouble({ home, session }) });
}
