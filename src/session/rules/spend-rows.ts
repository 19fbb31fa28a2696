import type { Role } from "../../base/role.ts";
import type { Tokens } from "../../fs-protocol/records/turn-usage.ts";

/** The usage of the turns of one role, milestone, engine, model and attempt. */
export interface SpendRow {
  readonly role: Role;
  /** Undefined if it counts toward no milestone. */
  readonly milestone: string | undefined;
  readonly engine: string;
  /** The engine's name for the model; undefined if it reports none. */
  readonly model: string | undefined;
  /**
   * What the turns were for and which attempt they were part of, such as `build 2`. Attempts at a milestone are counted
   * since the last progress.
   */
  readonly attempt: string;
  readonly turns: number;
  /** Number of turns whose cost (`unpriced`) or tokens (`uncounted`) are unknown. */
  readonly unpriced: number;
  readonly uncounted: number;
  /** Number of turns whose tokens are too low, because an older wisp took those of a turn for those of its conversation. */
  readonly tooLow: number;
  readonly costUsd: number;
  readonly tokens: Tokens;
  /** Sum over all turns that have ended. */
  readonly durationMs: number;
}

/** Adds a row to those of the same milestone, engine, model and attempt. */
export function addSpend(rows: Map<string, SpendRow>, row: SpendRow): void {
  const key = JSON.stringify([row.milestone, row.engine, row.model, row.attempt]);
  const sum = rows.get(key);
  rows.set(key, sum === undefined ? row : { ...row, ...sumOf([sum, row]) });
}

/** Adds up several rows. */
export function sumOf(
  rows: readonly SpendRow[],
): Omit<SpendRow, "role" | "milestone" | "engine" | "model" | "attempt"> {
  const total = (of: (row: SpendRow) => number) => rows.reduce((sum, row) => sum + of(row), 0);
  return {
    turns: total((row) => row.turns),
    unpriced: total((row) => row.unpriced),
    uncounted: total((row) => row.uncounted),
    tooLow: total((row) => row.tooLow),
    costUsd: total((row) => row.costUsd),
    tokens: {
      input: total((row) => row.tokens.input),
      output: total((row) => row.tokens.output),
      cached: total((row) => row.tokens.cached),
    },
    durationMs: total((row) => row.durationMs),
  };
}
