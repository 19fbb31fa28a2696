import type { Role } from "../../base/role.ts";
import type { SessionState } from "../state/session-state.ts";

/** A role that keeps ending units keeps its clock, up to this many limits in all. */
export const DRAIN_EXTENSIONS_MAX = 5;

/**
 * When the builder stops waiting for `waiting` in the window that is open: the latest of their
 * limits. A role's clock starts with the window and again at each of its own ends; it stands still
 * (undefined) while the session is paused or the role waits for a person's answer.
 */
export function drainEndsMs(state: SessionState, waiting: readonly Role[]): number | undefined {
  const { stage } = state.builder;
  if (state.human.paused || stage.kind !== "window") return undefined;
  let endsMs = 0;
  for (const role of waiting) {
    if (role === "builder") continue;
    const asks = state[role].questions.some(({ id }) => !state.human.answers.has(id));
    if (asks) return undefined;
    endsMs = Math.max(endsMs, limitOf(state, role, stage.openedMs));
  }
  return endsMs;
}

function limitOf(
  state: SessionState,
  role: "planner" | "reviewer" | "tester",
  openedMs: number,
): number {
  const limitMs = state.policy.drainMs[role];
  const restartedMs = Math.max(openedMs, state[role].lastEndMs);
  return Math.min(restartedMs + limitMs, openedMs + DRAIN_EXTENSIONS_MAX * limitMs);
}
