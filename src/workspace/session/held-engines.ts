import { leftAloneWords, holdEndWords } from "../../agents/supervisor/hold-words.ts";
import { endOf } from "../../session/state/end-in-force.ts";
import type { EngineHold } from "../../session/state/role-turns.ts";
import { timedHolds } from "../../session/steps/turn-gate.ts";
import type { StatusFacts } from "./status-facts.ts";

/** An engine that is left alone for a time. */
export interface HeldEngine {
  readonly engine: string;
  /** The only model that is left alone, as it was asked for; "" if that is the engine's own choice. Absent: all. */
  readonly model?: string;
  readonly cause: EngineHold["cause"];
  readonly until: string;
  /** Whether the engine said when its limit ends, or that is a guess; absent for other causes. */
  readonly end?: EngineHold["end"];
  /** When that is, for people, and who says so. */
  readonly says: string;
}

/** Those engines by name, while the session has something left to do. */
export function heldEngines(facts: Pick<StatusFacts, "state" | "nowMs">): readonly HeldEngine[] {
  const { state, nowMs } = facts;
  const { turns, human } = state;
  const isOver = endOf(state) !== undefined || human.closed !== undefined;
  if (turns === undefined || isOver) return [];
  return timedHolds({ ...turns, human }, nowMs)
    .map(({ engine, model, cause, untilMs, end }) => ({
      ...{
        engine,
        ...(model === undefined ? {} : { model: model.asked ?? "" }),
        cause,
        until: new Date(untilMs).toISOString(),
        end,
      },
      says: holdEndWords({ engine, untilMs, end }, nowMs),
    }))
    .sort((one, other) => (nameOf(one) < nameOf(other) ? -1 : 1));
}

/** The sentence about an engine that is left alone, for views that do not show its hold in another way. */
export function heldEngineWords(held: HeldEngine): string {
  return `${nameOf(held)} is left alone ${held.says}`;
}

function nameOf({ engine, model }: HeldEngine): string {
  if (model === undefined) return engine;
  return leftAloneWords({ engine, model: { asked: model === "" ? undefined : model } });
}
