import { TREE_WAIT_MS_MAX, TREE_WAIT_MS_MIN } from "../../base/limits.ts";
import { TURNS_WAIT_MS_MAX } from "../../base/look-limits.ts";
import { formatTimeLeft } from "../../base/words/format-duration.ts";
import type { CommonRecord } from "../../fs-protocol/records/common-records.ts";
import { note, type Journal } from "../../work/journal.ts";
import type { RoleContext } from "../../work/role-context.ts";
import { RunningTurns } from "./running-turns.ts";

/** A role that waits: it notes for what. */
export type TurnWaiter = Omit<RoleContext, "journal"> & {
  readonly journal: Journal<Extract<CommonRecord, { readonly kind: "note" }>>;
};

/**
 * How looks that decide together wait for the turns of engines in their repository, which may hold a port or load the
 * machine: five minutes for all of these looks, and then they go on beside the turns. A turn waits for no look, so two roles
 * that wait never wait for each other; nobody waits for a turn of its own role.
 */
export class TurnWait {
  readonly #context: TurnWaiter;
  readonly #turns: RunningTurns;
  readonly #what: string;
  #leftMs = TURNS_WAIT_MS_MAX;

  /** @param what is run after it, for people */
  constructor(context: TurnWaiter, what: string) {
    this.#context = context;
    this.#what = what;
    this.#turns = new RunningTurns(context);
  }

  /** Whether it may wait on. */
  get isPatient(): boolean {
    return this.#leftMs > 0;
  }

  /** How many turns run now. */
  running(): Promise<number> {
    return this.#turns.count();
  }

  /**
   * Waits until no turn runs, the time is used up, or the role is asked to stop.
   *
   * @returns for how long, in milliseconds
   */
  async untilNone(): Promise<number> {
    const { ports, signal } = this.#context;
    let waitedMs = 0;
    for (let stepMs = TREE_WAIT_MS_MIN; this.isPatient && !signal.aborted;) {
      const running = await this.running();
      if (running === 0) break;
      if (this.#leftMs === TURNS_WAIT_MS_MAX) this.#note(running);
      const sleepMs = Math.min(stepMs, this.#leftMs);
      await ports.clock.sleep(sleepMs, signal);
      waitedMs += sleepMs;
      this.#leftMs -= sleepMs;
      stepMs = Math.min(2 * stepMs, TREE_WAIT_MS_MAX);
    }
    return waitedMs;
  }

  #note(running: number): void {
    const limit = formatTimeLeft(TURNS_WAIT_MS_MAX);
    const turns = turnWords(running);
    note(
      this.#context,
      `before ${this.#what} is run again, ${turns} in this repository may end, at most ${limit}`,
    );
  }
}

/** So many turns, for people. */
function turnWords(running: number): string {
  return running === 1 ? "1 turn of an engine" : `${String(running)} turns of engines`;
}

/** None where a sandbox confines what wisp runs: only without it do looks wait for turns. */
export function turnWait(context: TurnWaiter, what: string): TurnWait | undefined {
  const { kind = "none" } = context.sandbox ?? {};
  return kind === "none" ? new TurnWait(context, what) : undefined;
}
