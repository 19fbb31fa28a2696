import type { Ending } from "./append-checks.ts";
import type { FaultCounts } from "./fate.ts";
import { endBroken } from "./final-checks.ts";
import { SimSession } from "./sim-session.ts";
import type { Wrong } from "./wrong.ts";

/** What became of one seed. */
export interface Simulated {
  readonly seed: number;
  /** Safety: what was lost, done twice, or done wrongly. */
  readonly unsafe: Wrong | undefined;
  /** Liveness: what does not go on. */
  readonly late: Wrong | undefined;
  readonly ending: Ending;
  readonly faults: FaultCounts;
  readonly steps: number;
  readonly turns: number;
  /** Edits of TASKS.md by a person that the builder adopted. */
  readonly edits: number;
  /** Of everything that happened, in order: the same seed gives the same. */
  readonly digest: string;
  /** When asked for. */
  readonly trace: readonly string[] | undefined;
}

/** Simulates one session from its seed alone. */
export async function simulate(seed: number, isTraced = false): Promise<Simulated> {
  const session = new SimSession(seed, isTraced);
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
