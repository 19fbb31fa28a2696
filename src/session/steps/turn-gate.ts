import type { Role } from "../../base/role.ts";
import type { Budget } from "../../fs-protocol/home/budget.ts";
import type { HumanFold } from "../state/fold-human.ts";
import { sumOf, type EngineHold, type SpendRow } from "../state/role-turns.ts";
import type { SessionTurns } from "../state/session-state.ts";
import type { TurnHold } from "./step.ts";

/** The facts that decide whether a role may have a turn. */
export type TurnView = SessionTurns & { readonly human: HumanFold };

/** If the clock was set back by more than this, a hold ends, so that nothing waits a day for it. */
const CLOCK_BACK_MS_MAX = 60_000;

/** The first of a role's engines that is available now, trying `first` first; otherwise why none is. */
export function engineFor(
  view: TurnView,
  { role, first }: { readonly role: Role; readonly first?: string | undefined },
  nowMs: number,
): string | TurnHold {
  let hold: Extract<TurnHold, { kind: "engine" }> | undefined;
  const engines = view.engines[role];
  for (const engine of first === undefined ? engines : [first, ...engines]) {
    const longest = holdOn(view, engine, nowMs);
    if (longest === undefined) return engine;
    const { cause, reason, untilMs } = longest;
    if (hold === undefined || (untilMs ?? Infinity) < (hold.untilMs ?? Infinity))
      hold = { kind: "engine", engine, cause, reason, untilMs };
  }
  // A role without any engine is a role that is not asked for any.
  return hold ?? "";
}

/** Why a role may not have a turn for a milestone now; undefined if it may. */
export function turnHold(
  view: TurnView,
  turn: { readonly role: Role; readonly milestone: string | undefined },
  nowMs: number,
): TurnHold | undefined {
  const { spend } = view.facts;
  const { session, milestone } = budgets(view);
  const ofMilestone = spend.filter((row) => row.milestone === turn.milestone);
  const over =
    overBudget(spend, session, undefined) ??
    (turn.milestone === undefined ? undefined : overBudget(ofMilestone, milestone, turn.milestone));
  if (over !== undefined) return over;
  const engine = engineFor(view, turn, nowMs);
  return typeof engine === "string" ? undefined : engine;
}

/** Those of the session, as far as a person has not set others since. */
export function budgets({ budget, human }: TurnView): SessionTurns["budget"] {
  return {
    session: { ...budget.session, ...human.budget.session },
    milestone: { ...budget.milestone, ...human.budget.milestone },
  };
}

/** The longest hold in force on an engine. */
function holdOn(view: TurnView, engine: string, nowMs: number): EngineHold | undefined {
  return holdsInForce(view, engine, nowMs).sort(
    (one, other) => (other.untilMs ?? Infinity) - (one.untilMs ?? Infinity),
  )[0];
}

/** Whether any engine is left alone: for a time, or until a person has seen to it. */
export function isAnyHeld(view: TurnView, nowMs: number, by: "person" | "anything"): boolean {
  return [...view.facts.holds.keys()].some((engine) =>
    holdsInForce(view, engine, nowMs).some(
      ({ untilMs }) => by === "anything" || untilMs === undefined,
    ),
  );
}

function holdsInForce(view: TurnView, engine: string, nowMs: number): EngineHold[] {
  return (view.facts.holds.get(engine) ?? []).filter((hold) => isInForce(hold, view.human, nowMs));
}

function isInForce(hold: EngineHold, human: HumanFold, nowMs: number): boolean {
  const isLifted = human.events.slice(hold.human).some(({ kind, wasStopped }) => {
    // Who only takes a stop back has not said that a limit is over, but may have seen to a login.
    const isAboutHold = !wasStopped || hold.untilMs === undefined;
    return kind === "restart" || (kind === "resume" && isAboutHold);
  });
  if (isLifted || nowMs < hold.sinceMs - CLOCK_BACK_MS_MAX) return false;
  return hold.untilMs === undefined || nowMs < hold.untilMs;
}

function overBudget(
  rows: readonly SpendRow[],
  budget: Budget,
  milestone: string | undefined,
): TurnHold | undefined {
  const { costUsd, turns, tokens, durationMs } = sumOf(rows);
  const used: Readonly<Record<keyof Budget, number>> = {
    usd: costUsd,
    turns,
    tokens: tokens.input + tokens.output,
    durationMs,
  };
  for (const of of ["usd", "turns", "tokens", "durationMs"] as const) {
    const allowed = budget[of];
    if (allowed !== undefined && used[of] >= allowed)
      return { kind: "budget", milestone, of, used: used[of], allowed };
  }
  return undefined;
}
