import { Usage } from "../../workspace/usage.ts";
import { fail, ok, type Result } from "../../base/result.ts";
import type { Budget } from "../../fs-protocol/home/budget.ts";
import { parseBudget } from "../../settings/schema/budget-setting.ts";
import { appendHuman, type SpeakFailure } from "../../workspace/session/append-human.ts";
import type { World } from "../../workspace/world.ts";
import type { FoundSession } from "../../workspace/sessions.ts";

/** `--budget` and `--milestone-budget` as they were given. */
export interface BudgetWords {
  readonly budget?: string | undefined;
  readonly milestoneBudget?: string | undefined;
}

/** Limits for a whole session, and for each of its milestones. */
export interface Budgets {
  readonly session: Budget;
  readonly milestone: Budget;
}

/** What a command line says of budgets; limits that it does not name are left out. */
export function readBudgets({ budget, milestoneBudget }: BudgetWords): Result<Budgets, Usage> {
  const session = readLimits("--budget", budget);
  if (!session.ok) return session;
  const milestone = readLimits("--milestone-budget", milestoneBudget);
  return milestone.ok ? ok({ session: session.value, milestone: milestone.value }) : milestone;
}

function readLimits(flag: string, text: string | undefined): Result<Budget, Usage> {
  if (text === undefined) return ok({});
  const parsed = parseBudget(text);
  return parsed.ok ? parsed : fail(Usage({ problem: `${flag}: ${parsed.failure}` }));
}

/** Puts on record what differs from the limits that a person set last. */
export async function giveBudgets(
  world: World,
  found: FoundSession,
  budgets: Budgets,
): Promise<Result<void, SpeakFailure>> {
  for (const of of ["session", "milestone"] as const) {
    const said = await appendHuman(world, found, (human) => {
      const limits = budgets[of];
      const isNew = { ...human.budget[of], ...limits };
      const isSame = LIMITS.every((limit) => isNew[limit] === human.budget[of][limit]);
      return isSame ? undefined : { kind: "budget", of, limits };
    });
    if (!said.ok) return said;
  }
  return ok(undefined);
}

const LIMITS = ["usd", "turns", "tokens", "durationMs"] as const satisfies (keyof Budget)[];
