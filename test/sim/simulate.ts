import type { Ending } from "./append-checks.ts";
import type { FaultCounts } from "./fate.ts";
import { endBroken } from "./final-checks.ts";
import { wildScene } from "./scene.ts";
import { SimSession } from "./sim-session.ts";
import type { Wrong } from "./wrong.ts";

/** The result of one seed. */
export interface Simulated {
  readonly seed: number;
  /** A broken safety invariant: something was lost, done twice, or done wrongly. */
  readonly unsafe: Wrong | undefined;
  /** A broken liveness invariant: the session does not progress. */
  readonly late: Wrong | undefined;
  readonly ending: Ending;
  readonly faults: FaultCounts;
  readonly steps: number;
  readonly turns: number;
  /** Number of a person's edits of TASKS.md that the builder adopted. */
  readonly edits: number;
  /** A digest of all events in order, which is the same for the same seed. */
  readonly digest: string;
  /** Only if requested. */
  readonly trace: readonly string[] | undefined;
}

/** Simulates one session, which its seed determines completely. */
export async function simulate(seed: number, isTraced = false): Promise<Simulated> {
  const session = new SimSession(seed, isTraced, wildScene(seed));
  await session.run();
  const unsafe = session.unsafe ?? endBroken(session);
  const { fate, simulator, turns, late, ending } = session;
  return {
    seed,
    unsafe,
    late,
    ending,
    faults: fate.counts,
    steps: simulator.steps,
    turns,
    edits: session.edits,
    digest: simulator.digest(),
    trace: simulator.trace,
  };
}
