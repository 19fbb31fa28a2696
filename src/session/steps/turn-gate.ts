import type { Role } from "../../base/role.ts";
import type { Budget } from "../../fs-protocol/home/budget.ts";
import { LIMIT_NAMES, withShares, type LimitName } from "../rules/share-budget.ts";
import type { HumanFold } from "../state/fold-human.ts";
import { sumOf, type SpendRow } from "../rules/spend-rows.ts";
import type { EngineHold } from "../state/role-turns.ts";
import type { SessionTurns, WantedEngine } from "../state/session-state.ts";
import type { TurnHold } from "./step.ts";

/** The facts that decide whether a role may have a turn. */
export type TurnView = SessionTurns & { readonly human: HumanFold };

/**
 * A hold ends if the clock was set back by more than this, so that no role waits for a day because
 * of it.
 */
const CLOCK_BACK_MS_MAX = 60_000;

/** An engine with the model that it is asked for; undefined: its own choice. */
export interface AskedEngine {
  readonly engine: string;
  readonly model: string | undefined;
}

interface WantedTurn extends WantedEngine {
  readonly role: Role;
}

/**
 * Returns the first engine that is available now: with what the turn asks for, then with what the settings of its role
 * say, then those that replace it; otherwise why none is available.
 */
export function engineFor(
  view: TurnView,
  wanted: WantedTurn,
  nowMs: number,
): AskedEngine | TurnHold {
  let hold: Extract<TurnHold, { kind: "engine" }> | undefined;
  for (const asked of candidates(view, wanted)) {
    const longest = longestOf(holdsOn(view, asked, nowMs));
    if (longest === undefined) return asked;
    const { engine, model, cause, sinceMs, reason, untilMs, end } = longest;
    if (hold === undefined || (untilMs ?? Infinity) < (hold.untilMs ?? Infinity))
      hold = {
        kind: "engine",
        engine,
        ...(model === undefined ? {} : { model }),
        cause,
        sinceMs,
        reason,
        untilMs,
        end,
      };
  }
  // A role without engines is never asked for a turn.
  return hold ?? { engine: "", model: undefined };
}

function candidates(
  { engines, models }: TurnView,
  { role, engine, model }: WantedTurn,
): readonly AskedEngine[] {
  const [own, ...replacing] = engines[role];
  if (own === undefined) return [];
  const usual = { engine: own, model: models?.[role] };
  const isOwn = engine === undefined || engine === own;
  const first = { engine: engine ?? own, model: model ?? (isOwn ? usual.model : undefined) };
  return [first, usual, ...replacing.map((name) => ({ engine: name, model: undefined }))];
}

/** Returns why a role may not have a turn for a milestone now; undefined if it may. */
export function turnHold(
  view: TurnView,
  turn: WantedTurn & { readonly milestone: string | undefined },
  nowMs: number,
): TurnHold | undefined {
  const { session, milestone } = budgets(view);
  const { milestone: name } = turn;
  const ofMilestone = () => view.facts.spend.filter((row) => row.milestone === name);
  const over =
    overBudget(() => view.facts.spend, session, undefined) ??
    (name === undefined ? undefined : overBudget(ofMilestone, milestone, name));
  if (over !== undefined) return over;
  const found = engineFor(view, turn, nowMs);
  return "kind" in found ? found : undefined;
}

/**
 * Returns the budgets in force: those of the session, with the limits that a person has changed
 * since, and with what was given to other sessions of the fleet and granted by them.
 */
export function budgets({
  budget,
  human,
}: Pick<TurnView, "budget" | "human">): SessionTurns["budget"] {
  return {
    session: withShares({ ...budget.session, ...human.budget.session }, human),
    milestone: { ...budget.milestone, ...human.budget.milestone },
  };
}

function longestOf(holds: readonly EngineHold[]): EngineHold | undefined {
  return [...holds].sort(
    (one, other) => (other.untilMs ?? Infinity) - (one.untilMs ?? Infinity),
  )[0];
}

/**
 * Whether any engine is on hold; `by: "person"` counts only holds that last until a person ends
 * them.
 */
export function isAnyHeld(view: TurnView, nowMs: number, by: "person" | "anything"): boolean {
  return [...view.facts.holds.keys()].some((engine) =>
    holdsInForce(view, engine, nowMs).some(
      ({ untilMs }) => by === "anything" || untilMs === undefined,
    ),
  );
}

/** Returns the engines, and models of them, that are left alone for a time, each with the hold that lasts longest. */
export function timedHolds(
  view: TurnView,
  nowMs: number,
): readonly (EngineHold & { readonly untilMs: number })[] {
  return [...view.facts.holds.keys()].flatMap((engine) => {
    const byModel = new Map<string, EngineHold[]>();
    for (const hold of holdsInForce(view, engine, nowMs)) {
      const key = JSON.stringify(hold.model ?? null);
      byModel.set(key, [...(byModel.get(key) ?? []), hold]);
    }
    return [...byModel.values()].flatMap((holds) => {
      const longest = longestOf(holds);
      const untilMs = longest?.untilMs;
      return longest === undefined || untilMs === undefined ? [] : [{ ...longest, untilMs }];
    });
  });
}

function holdsInForce(view: TurnView, engine: string, nowMs: number): EngineHold[] {
  return (view.facts.holds.get(engine) ?? []).filter((hold) => isInForce(hold, view.human, nowMs));
}

/** Those that concern a turn which asks the engine for this model. */
function holdsOn(view: TurnView, { engine, model }: AskedEngine, nowMs: number): EngineHold[] {
  return holdsInForce(view, engine, nowMs).filter(
    (hold) => hold.model === undefined || hold.model.asked === model,
  );
}

function isInForce(hold: EngineHold, human: HumanFold, nowMs: number): boolean {
  const isLifted = human.events.slice(hold.human).some(({ kind, wasStopped }) => {
    // Resuming after a stop does not mean that a limit is over, but the person may have logged in.
    const isAboutHold = !wasStopped || hold.untilMs === undefined;
    return kind === "restart" || (kind === "resume" && isAboutHold);
  });
  if (isLifted || nowMs < hold.sinceMs - CLOCK_BACK_MS_MAX) return false;
  return hold.untilMs === undefined || nowMs < hold.untilMs;
}

/** What turns used of each limit, as far as their engines reported it. */
export function usedBy(rows: readonly SpendRow[]): Readonly<Record<LimitName, number>> {
  const { costUsd, turns, tokens, durationMs } = sumOf(rows);
  return { usd: costUsd, turns, tokens: tokens.input + tokens.output, durationMs };
}

/** The rows are not even listed if the budget limits nothing, because their number grows with the session. */
function overBudget(
  rows: () => readonly SpendRow[],
  budget: Budget,
  milestone: string | undefined,
): TurnHold | undefined {
  if (Object.values(budget).every((limit) => limit === undefined)) return undefined;
  const used = usedBy(rows());
  for (const of of LIMIT_NAMES) {
    const allowed = budget[of];
    if (allowed !== undefined && used[of] >= allowed)
      return { kind: "budget", milestone, of, used: used[of], allowed };
  }
  return undefined;
}
