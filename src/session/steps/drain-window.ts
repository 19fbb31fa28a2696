import type { PerRole, Role } from "../../base/role.ts";
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
  const limitsMs: Partial<PerRole<number>> = state.policy.drainMs;
  let endsMs = 0;
  for (const role of waiting) {
    if (role === "builder") continue;
    const { questions, lastEndMs } = state[role];
    if (questions.some(({ id }) => !state.human.answers.has(id))) return undefined;
    const restartedMs = Math.max(stage.openedMs, lastEndMs);
    const limitMs = limitsMs[role] ?? 0;
    const latestMs = stage.openedMs + DRAIN_EXTENSIONS_MAX * limitMs;
    endsMs = Math.max(endsMs, Math.min(restartedMs + limitMs, latestMs));
  }
  return endsMs;
}
