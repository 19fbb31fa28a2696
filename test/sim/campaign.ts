import { availableParallelism } from "node:os";
import type { SimBundle } from "./sim-bundle.ts";
import type { NoisySession } from "./simulate-noisy.ts";
import type { Simulated } from "./simulate.ts";
import type { Wrong } from "./wrong.ts";

/** The most seeds that one thread simulates, which bounds the memory that it leaks. */
const CHUNK_SEEDS = 50;

/** Some seeds in a row. */
export interface Seeds {
  readonly from: number;
  readonly count: number;
}

/** Simulates `count` seeds from `from` on, on every core, and returns the result of each. */
export async function campaign(
  bundle: SimBundle,
  from: number,
  count: number,
): Promise<readonly Simulated[]> {
  return inChunks(from, count, (task) => bundle.simulate(task));
}

/** Simulates noisy sessions, on every core, and returns the result of each seed. */
export async function noisyCampaign(
  bundle: SimBundle,
  rate: number,
  { from, count }: Seeds,
): Promise<readonly NoisySession[]> {
  return inChunks(from, count, (task) => bundle.simulateNoisily({ ...task, rate }));
}

async function inChunks<T extends { readonly seed: number }>(
  from: number,
  count: number,
  simulate: (seeds: Seeds) => Promise<readonly T[]>,
): Promise<readonly T[]> {
  const done: T[] = [];
  let next = from;
  const end = from + count;
  const threads = availableParallelism();
  const chunk = Math.min(CHUNK_SEEDS, Math.ceil(count / threads));
  const work = async () => {
    while (next < end) {
      const first = next;
      next = Math.min(end, first + chunk);
      done.push(...(await simulate({ from: first, count: next - first })));
    }
  };
  await Promise.all(Array.from({ length: threads }, work));
  return done.sort((one, other) => one.seed - other.seed);
}

/** The injected faults of all seeds, in one line. */
export function tallyOf(simulated: readonly Simulated[]): string {
  const total = new Map<string, number>([["seeds", simulated.length]]);
  const add = (name: string, count: number) => total.set(name, (total.get(name) ?? 0) + count);
  for (const { faults, steps, turns, edits, ending } of simulated) {
    add(ending ?? "without an end", 1);
    add("events", steps);
    add("programs run", turns);
    add("edits of people adopted", edits);
    add("processes killed", faults.kills);
    add("torn writes", faults.tornWrites);
    add("power cuts", faults.powerCuts);
    add("files torn by them", faults.tornFiles);
    add("errors of the disk", faults.diskErrors);
    add("failures of git", faults.gitFailures);
    add("hints dropped", faults.droppedHints);
    add("hints delayed", faults.delayedHints);
  }
  return [...total].map(([name, count]) => `${name}: ${String(count)}`).join(", ");
}

/** The seeds that broke a safety invariant, with the command that runs each alone. */
export function unsafeSeeds(simulated: readonly Simulated[]): readonly string[] {
  return simulated.flatMap(({ seed, unsafe }) => describeWrong(seed, unsafe));
}

/** The seeds that broke a liveness invariant, with the command that runs each alone. */
export function lateSeeds(simulated: readonly Simulated[]): readonly string[] {
  return simulated.flatMap(({ seed, late }) => describeWrong(seed, late));
}

function describeWrong(seed: number, wrong: Wrong | undefined): readonly string[] {
  if (wrong === undefined) return [];
  const alone = `WISP_SIM_SEED=${String(seed)} npx vitest run test/sim/simulate.test.ts`;
  return [`seed ${String(seed)}: ${wrong.invariant}: ${wrong.what}\n  alone: ${alone}`];
}
