import type { PerRole, Role } from "../../base/role.ts";
import type { SessionState } from "../state/session-state.ts";
import { isUnanswered } from "../state/open-unit.ts";

/**
 * Each unit that a role ends restarts its drain clock, but the role gets at most this many limits
 * in total.
 */
export const DRAIN_EXTENSIONS_MAX = 5;

/**
 * Returns when the builder stops waiting for the roles `waiting` in the open window, in
 * milliseconds since 1970: the latest of their limits. A role's clock starts with the window and
 * restarts whenever the role ends a unit. It is stopped (undefined) while the session is paused or
 * the role waits for a person's answer.
 */
export function drainEndsMs(state: SessionState, waiting: readonly Role[]): number | undefined {
  const { stage } = state.builder;
  if (state.human.paused || stage.kind !== "window") return undefined;
  const limitsMs: Partial<PerRole<number>> = state.policy.drainMs;
  let endsMs = 0;
  for (const role of waiting) {
    if (role === "builder") continue;
    const { questions, lastEndMs } = state[role];
    if (questions.some((one) => isUnanswered(one, state.human))) return undefined;
    const restartedMs = Math.max(stage.openedMs, lastEndMs);
    const limitMs = limitsMs[role] ?? 0;
    const latestMs = stage.openedMs + DRAIN_EXTENSIONS_MAX * limitMs;
    endsMs = Math.max(endsMs, Math.min(restartedMs + limitMs, latestMs));
  }
  return endsMs;
}
