import { need, CannotGoOn } from "../../base/fatal.ts";
import { Usage } from "../../workspace/usage.ts";
import type { Budget } from "../../fs-protocol/home/budget.ts";
import { LIMIT_NAMES, sharesInForce } from "../../session/rules/share-budget.ts";
import { parseBudget } from "../../settings/schema/budget-setting.ts";
import { appendHuman } from "../../workspace/session/append-human.ts";
import type { World } from "../../workspace/world.ts";
import type { FoundSession } from "../../workspace/sessions.ts";

/** `--budget` and `--milestone-budget` as given. */
export interface BudgetWords {
  readonly budget?: string | undefined;
  readonly milestoneBudget?: string | undefined;
}

/** Limits for a whole session, and for each of its milestones. */
export interface Budgets {
  readonly session: Budget;
  readonly milestone: Budget;
}

/** Parses the budgets of a command line; limits that it does not name are left out. */
export function readBudgets({ budget, milestoneBudget }: BudgetWords): Budgets {
  return {
    session: readLimits("--budget", budget),
    milestone: readLimits("--milestone-budget", milestoneBudget),
  };
}

function readLimits(flag: string, text: string | undefined): Budget {
  if (text === undefined) return {};
  const parsed = parseBudget(text);
  if (parsed.ok) return parsed.value;
  throw new CannotGoOn(Usage({ problem: `${flag}: ${parsed.failure}` }));
}

/** Records the limits that differ from those that a person set last. */
export async function giveBudgets(
  world: World,
  found: FoundSession,
  budgets: Budgets,
): Promise<void> {
  for (const of of ["session", "milestone"] as const) {
    need(
      await appendHuman(world, found, (human) => {
        const limits = budgets[of];
        const isNew = { ...human.budget[of], ...limits };
        // What was granted or given since changes a limit that a person set.
        const isShared =
          of === "session" &&
          LIMIT_NAMES.some((name) => name in limits && sharesInForce(human, name).length > 0);
        const isSame =
          !isShared && LIMIT_NAMES.every((limit) => isNew[limit] === human.budget[of][limit]);
        return isSame ? undefined : { kind: "budget", of, limits };
      }),
    );
  }
}
