import { UNIT_BACKOFF_MS_MAX, UNIT_BACKOFF_MS_MIN } from "../../base/limits.ts";
import { backoffMs } from "../../streams/retry.ts";
import type { Journal } from "./journal.ts";
import type { RoleContext } from "./role-context.ts";
import { withRefusals } from "../turn/name-refusals.ts";

/** What one attempt at a unit came to. */
export type Attempted<T> =
  | { readonly kind: "done"; readonly value: T }
  | { readonly kind: "failed"; readonly reason: string }
  | {
      readonly kind: "question";
      readonly outcome: "needs_input" | "blocked";
      readonly question: string;
    }
  | { readonly kind: "stopped" };

/** How the unit ended, for its `end` record. */
export type UnitEnd<T> =
  Exclude<Attempted<T>, { kind: "failed" }> | { readonly kind: "gaveup"; readonly reason: string };

interface AttemptFailed {
  readonly kind: "attempt.failed";
  readonly time: string;
  readonly unit: string;
  readonly reason: string;
}

/**
 * Tries a unit of planner, reviewer or tester up to the policy's bound, with backoff; each failed
 * attempt is on record, so that a restart goes on counting. After the last one the unit gives up,
 * which answers what was owed (coordination, "Giving up").
 *
 * @param failures attempts that failed before, from the fold
 */
export async function attemptUnit<T>(
  context: Pick<RoleContext, "session" | "ports" | "signal" | "random" | "reader" | "role"> & {
    readonly journal: Journal<AttemptFailed>;
  },
  unit: {
    readonly key: string;
    readonly failures: number;
    readonly lastFailure?: string | undefined;
  },
  attempt: (number: number, lastFailure: string | undefined) => Promise<Attempted<T>>,
): Promise<UnitEnd<T>> {
  const { journal, session, ports, signal, random } = context;
  const backoff = { msMin: UNIT_BACKOFF_MS_MIN, msMax: UNIT_BACKOFF_MS_MAX };
  let reason = unit.lastFailure;
  for (let number = unit.failures + 1; number <= session.policy.unitAttemptsMax; number++) {
    if (number > 1) await ports.clock.sleep(backoffMs(number - 1, backoff, random()), signal);
    if (signal.aborted) return { kind: "stopped" };
    const attempted = await attempt(number, reason);
    if (attempted.kind !== "failed") return attempted;
    reason = withRefusals(context, unit.key, attempted.reason);
    journal.append({ kind: "attempt.failed", time: journal.time(), unit: unit.key, reason });
  }
  return { kind: "gaveup", reason: reason ?? "its attempts are used up" };
}
