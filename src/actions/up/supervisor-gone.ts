import { EXIT } from "../../base/exit-code.ts";
import { refusal } from "../../base/failure.ts";
import { shown } from "../../base/words/shown.ts";
import type { EnsuredSupervisor } from "../../agents/supervisor/ensure-supervisor.ts";
import type { World } from "../../workspace/world.ts";
import { homeTrouble, supervisorSaid } from "../../workspace/home-troubles.ts";
import type { FoundSession } from "../../workspace/sessions.ts";

interface Gone {
  readonly session: string;
  /** What the last one said of it. */
  readonly said: string | undefined;
  /** What is wrong with the session's home, as far as one can see. */
  readonly trouble: string | undefined;
}

/** The supervisor of a session ended before its work was done, and so did those that took over. */
export const SupervisorGone = refusal(
  "supervisor-gone",
  EXIT.failure,
  ({ session, said, trouble }: Gone) => {
    const causes = [said, trouble].flatMap((cause) => (cause === undefined ? [] : [shown(cause)]));
    const why = causes.length === 0 ? "it said nothing, see wisp doctor" : causes.join("; ");
    return [
      `The supervisor of ${shown(session)} ended before its work was done: ${why}.`,
      "What was done is on record. When the cause is gone:",
      `wisp up ${session}`,
    ];
  },
);
export type SupervisorGone = ReturnType<typeof SupervisorGone>;

/** Whether a supervisor ended as soon as it was started because it could not go on. */
export function hasFailed(ensured: EnsuredSupervisor): boolean {
  return ensured.kind === "ended" && ensured.exitCode === EXIT.failure;
}

/** That a session's supervisor is gone, and why as far as can be told. */
export function supervisorGone(
  { host }: Pick<World, "host">,
  { home, session }: FoundSession,
): SupervisorGone {
  const said = supervisorSaid(host.files, home);
  return SupervisorGone({ session: session.id, said, trouble: homeTrouble({ home, session }) });
}
