import { STATE_WIDTH } from "./state-table.ts";
import type { BudgetName } from "./scenarios.ts";
import type { State } from "./world.ts";

/** A step of the explored world: its name, its cost, and its changes. */
export interface Move extends Partial<Omit<State, "budget" | "made">> {
  readonly label: string;
  /** What the environment spends on it. */
  readonly spend?: BudgetName | undefined;
  /** An environment that does its worst allows this only once it has spent all of that budget. */
  readonly unless?: BudgetName | undefined;
  /** Number of findings or bugs that it adds. */
  readonly makes?: number | undefined;
}

/** The state after a move; undefined if the environment does not allow it. */
export function after(state: State, move: Move, always: boolean): State | undefined {
  if (always && move.unless !== undefined && state.budget.has(move.unless)) return undefined;
  const budget = move.spend === undefined ? state.budget : state.budget.spend(move.spend);
  if (budget === undefined) return undefined;
  return {
    builder: move.builder ?? state.builder,
    planner: move.planner ?? state.planner,
    reviewer: move.reviewer ?? state.reviewer,
    tester: move.tester ?? state.tester,
    human: move.human ?? state.human,
    supervisor: move.supervisor ?? state.supervisor,
    branch: move.branch ?? state.branch,
    build: move.build ?? state.build,
    test: move.test ?? state.test,
    budget,
    made: state.made + (move.makes ?? 0),
    pending: move.pending ?? state.pending,
    remote: move.remote ?? state.remote,
  };
}

/** Writes a state as numbers. */
export function writeRow(row: Int32Array, state: State): void {
  row[0] = state.builder.id;
  row[1] = state.planner.id;
  row[2] = state.reviewer.id;
  row[3] = state.tester.id;
  row[4] = state.human.id;
  row[5] = state.supervisor.id;
  row[6] = state.branch.id;
  row[7] = state.build.id;
  row[8] = state.test.id;
  row[9] = state.budget.id;
  row[10] = state.made;
  row[11] = state.pending;
  row[12] = state.remote;
}

/** A row for `writeRow`. */
export function emptyRow(): Int32Array {
  return new Int32Array(STATE_WIDTH);
}

/** A sum that every step except a kill increases, so that there are no cycles (L3). */
export function measure(state: State): number {
  const records =
    state.builder.length +
    state.planner.length +
    state.reviewer.length +
    state.tester.length +
    state.human.length +
    state.supervisor.length +
    state.branch.length;
  // A commit taken from the remote counts as a record of the branch from then on.
  return records * 4 + state.build.raise + state.test.raise + state.remote;
}

/** Whether two moves lead from any state to the same state. */
export function isSameMove(a: Move, b: Move): boolean {
  return (
    a.label === b.label &&
    a.spend === b.spend &&
    a.builder === b.builder &&
    a.planner === b.planner &&
    a.reviewer === b.reviewer &&
    a.tester === b.tester &&
    a.branch === b.branch &&
    a.remote === b.remote &&
    a.build === b.build &&
    a.test === b.test
  );
}

/** The moves of both lists, each once; the first list itself if the other has nothing new. */
export function union(moves: readonly Move[], more: readonly Move[]): readonly Move[] {
  if (more === moves || more.length === 0) return moves;
  if (moves.length === 0) return more;
  const fresh = more.filter((move) => !moves.some((known) => isSameMove(known, move)));
  return fresh.length === 0 ? moves : [...moves, ...fresh];
}
