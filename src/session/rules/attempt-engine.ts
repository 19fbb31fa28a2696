import type { SessionTurns, WantedEngine } from "../state/session-state.ts";

/**
 * The engine and the model that a build attempt asks for.
 *
 * @param stalled how many of the latest attempts made no progress; what is beyond the list is served by its last one
 */
export function attemptEngine(
  attempts: SessionTurns["attempts"] = [],
  stalled: number,
): WantedEngine {
  return attempts[stalled] ?? attempts.at(-1) ?? {};
}

/** Those of a turn that looks for what is in the way of the attempts. */
export function hintEngine(attempts: SessionTurns["attempts"]): WantedEngine {
  return attemptEngine(attempts, Infinity);
}
