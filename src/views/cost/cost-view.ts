import type { CostBy } from "../../base/choices.ts";
import { ROLES } from "../../base/role.ts";
import type { Budget } from "../../fs-protocol/home/budget.ts";
import { sumOf, type SpendRow } from "../../session/rules/spend-rows.ts";
import type { SessionState } from "../../session/state/session-state.ts";
import type { Tokens } from "../../fs-protocol/records/turn-usage.ts";
import {
  LIMIT_NAMES,
  plusAmount,
  sharesInForce,
  type ShareInForce,
} from "../../session/rules/share-budget.ts";
import { budgets } from "../../session/steps/turn-gate.ts";

/** What some turns used. Unknown values are absent, or counted as unknown turns; they are never 0. */
export interface Spent {
  readonly turns: number;
  /** Summed over the turns that reported tokens; absent when none did. */
  readonly tokens: Tokens | undefined;
  readonly turnsOfUnknownTokens: number;
  /** Turns over ACP whose tokens an older wisp counted too low; absent when there are none. */
  readonly turnsOfTooFewTokens?: number;
  /** US dollars, summed over the turns that reported a cost; absent when none did. */
  readonly costUsd: number | undefined;
  readonly turnsOfUnknownCost: number;
  /** Total duration of all turns that have ended. */
  readonly durationMs: number;
}

/** What the turns of one role, milestone, engine, model or attempt used. */
export interface SpentBy extends Spent {
  /** Absent for turns that belong to no milestone, or whose engine did not name the model. */
  readonly name: string | undefined;
}

/** A limit and how much of it is used. */
export interface BudgetUse {
  /** Absent when the limit applies to the whole session. */
  readonly milestone: string | undefined;
  readonly of: keyof Budget;
  readonly used: number;
  readonly allowed: number;
  /** What the allowed amount would be without `shares`. */
  readonly own: number;
  /** What other sessions of the fleet granted of it; below 0: what was given to them. */
  readonly shares: readonly ShareInForce[];
  /** Turns that do not count toward this limit because the engine did not report them. */
  readonly unseenTurns: number;
}

/** What `wisp cost --json` prints; fields are added, never renamed or removed. */
export interface CostView {
  readonly schema: "wisp.cost/1";
  readonly session: string;
  readonly by: CostBy;
  readonly rows: readonly SpentBy[];
  readonly total: Spent;
  /** Turns that are running, or were interrupted with their role. They count as unknown until they end. */
  readonly open: number;
  readonly budget: readonly BudgetUse[];
}

/** What a session used; a pure function of the session state. */
export function costView(session: string, state: SessionState, by: CostBy): CostView {
  const rows = state.turns?.facts.spend ?? [];
  const names = namesIn(rows, by);
  return {
    schema: "wisp.cost/1",
    session,
    by,
    rows: names.map((name) => ({ name, ...spentIn(rows.filter((row) => row[by] === name)) })),
    total: spentIn(rows),
    open: openTurns(state),
    budget: budgetUses(state, rows),
  };
}

/** In the order in which they came up; attempts of one purpose are together, by their numbers. */
function namesIn(rows: readonly SpendRow[], by: CostBy): readonly (string | undefined)[] {
  const names = [...new Set(rows.map((row) => row[by]))];
  if (by !== "attempt") return names;
  const attempts = [...new Set(rows.map(({ attempt }) => attempt))];
  const purposeOf = (attempt: string) => attempt.slice(0, attempt.lastIndexOf(" "));
  const purposes = [...new Set(attempts.map(purposeOf))];
  return purposes.flatMap((purpose) =>
    attempts
      .filter((attempt) => purposeOf(attempt) === purpose)
      .sort((one, other) => numberOf(one) - numberOf(other)),
  );
}

function numberOf(attempt: string): number {
  return Number(attempt.slice(attempt.lastIndexOf(" ") + 1));
}

/** What the turns of these sessions used in total. */
export function spentBy(...states: readonly Pick<SessionState, "turns">[]): Spent {
  return spentIn(states.flatMap(({ turns }) => turns?.facts.spend ?? []));
}

/** What some turns used in total. */
export function spentIn(rows: readonly SpendRow[]): Spent {
  const { turns, tokens, uncounted, tooLow, costUsd, unpriced, durationMs } = sumOf(rows);
  return {
    turns,
    tokens: turns > 0 && uncounted === turns ? undefined : tokens,
    turnsOfUnknownTokens: uncounted,
    ...(tooLow === 0 ? {} : { turnsOfTooFewTokens: tooLow }),
    costUsd: turns > 0 && unpriced === turns ? undefined : costUsd,
    turnsOfUnknownCost: unpriced,
    durationMs,
  };
}

function openTurns({ turns }: SessionState): number {
  return ROLES.reduce((sum, role) => sum + (turns?.facts.runningOf(role).length ?? 0), 0);
}

/** The limits of the session, how much of them is used and where they come from; undefined if there are none. */
export function sessionBudget({
  turns,
  human,
}: Pick<SessionState, "turns" | "human">): readonly BudgetUse[] | undefined {
  if (turns === undefined) return undefined;
  const { session } = budgets({ ...turns, human });
  const uses = usesOf(session, turns.facts.spend, undefined);
  return uses.length === 0 ? undefined : uses.map((use) => withSources(use, human));
}

/** The limits of the session, then those of each milestone that has used something. */
function budgetUses(
  { turns, human }: SessionState,
  rows: readonly SpendRow[],
): readonly BudgetUse[] {
  if (turns === undefined) return [];
  const { milestone } = budgets({ ...turns, human });
  const names = [...new Set(rows.flatMap((row) => row.milestone ?? []))];
  return [
    ...(sessionBudget({ turns, human }) ?? []),
    ...names.flatMap((name) =>
      usesOf(
        milestone,
        rows.filter((row) => row.milestone === name),
        name,
      ),
    ),
  ];
}

function usesOf(
  budget: Budget,
  rows: readonly SpendRow[],
  milestone: string | undefined,
): readonly BudgetUse[] {
  const { turns, tokens, uncounted, costUsd, unpriced, durationMs } = sumOf(rows);
  const used = { usd: costUsd, turns, tokens: tokens.input + tokens.output, durationMs };
  const unseen = { usd: unpriced, turns: 0, tokens: uncounted, durationMs: 0 };
  return LIMIT_NAMES.flatMap((of) => {
    const allowed = budget[of];
    if (allowed === undefined) return [];
    const amounts = { used: used[of], allowed, own: allowed, shares: [] };
    return [{ milestone, of, ...amounts, unseenTurns: unseen[of] }];
  });
}

function withSources(use: BudgetUse, human: SessionState["human"]): BudgetUse {
  const { of, allowed } = use;
  const shares = sharesInForce(human, of);
  const own = shares.reduce((sum, { amount }) => plusAmount(of, sum, -amount), allowed);
  return { ...use, own, shares };
}
