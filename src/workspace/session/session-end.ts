import { EXIT } from "../../base/exit-code.ts";
import { waitsForPerson } from "../../agents/supervisor/session-facts.ts";
import { endOf } from "../../session/state/end-in-force.ts";
import type { SessionState } from "../../session/state/session-state.ts";

/** The exit code of a command that watched a session until its supervisor exited. */
export function sessionExitCode(state: SessionState): number {
  const { human, supervisor } = state;
  const done = endOf(state);
  if (done !== undefined) return done.how === "complete" ? EXIT.ok : EXIT.stuck;
  if (human.stopped) return EXIT.ok;
  return supervisor.lastEnd?.code ?? EXIT.failure;
}

/**
 * Whether a session has work left but no supervisor, although nobody asked for that: the supervisor
 * was killed, or exited just before a record was appended to human.log.
 */
export function isAbandoned(state: SessionState, nowMs: number): boolean {
  const { human, supervisor, builder } = state;
  if (endOf(state) !== undefined || human.stopped) return false;
  switch (supervisor.lastEnd?.code) {
    case undefined:
    case EXIT.failure:
    case EXIT.ok:
      return true;
    case EXIT.inputNeeded:
      return waitsForPerson(state, nowMs) === undefined;
    case EXIT.stuck:
      // If the builder failed or the branch was rewritten, trying again is useless. Otherwise the
      // session was reopened.
      return builder.stage.kind === "done";
    default:
      return false;
  }
}
