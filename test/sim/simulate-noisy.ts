import { Noise } from "./noise.ts";
import { NoisyTruth, saysWhy } from "./noisy-checks.ts";
import { noisyFacts, noisyScene, type NoisyFacts } from "./noisy-scene.ts";
import { SimSession } from "./sim-session.ts";
import type { Wrong } from "./wrong.ts";

/** The result of one noisy session. */
export interface NoisySession extends NoisyFacts {
  readonly seed: number;
  readonly rate: number;
  /** How it ended; undefined if it did not. */
  readonly ending: "complete" | "stuck" | "question" | undefined;
  /** The question at which it stands. */
  readonly question: string | undefined;
  /** What it did that it may not do. */
  readonly wrongs: readonly Wrong[];
  /** How often the suite was run, and the commands of bugs. */
  readonly runs: number;
  /** Right attempts that were sent back, to be repeated. */
  readonly lost: number;
  /** How often noise came. */
  readonly troubles: number;
  readonly digest: string;
  /** Only if requested. */
  readonly trace: readonly string[] | undefined;
}

/** Simulates one session whose runs of the suite show what is not true, at this rate. */
export async function simulateNoisy(
  seed: number,
  rate: number,
  isTraced = false,
): Promise<NoisySession> {
  const facts = noisyFacts(seed);
  const noise = new Noise(seed, rate);
  const session = new SimSession(seed, isTraced, noisyScene(facts, rate, noise));
  await session.run();
  const standing = session.standing;
  const truth = new NoisyTruth(session, facts.isRed);
  const { simulator, ending } = session;
  return {
    ...{ seed, rate, ...facts },
    ending: standing === undefined ? ending : "question",
    question: standing?.ask,
    wrongs: wrongsOf(session, truth, noise),
    runs: noise.runs,
    lost: truth.lost(),
    troubles: [...noise.troubles].reduce(
      (sum, [name, count]) => sum + (name === "none" ? 0 : count),
      0,
    ),
    digest: simulator.digest(),
    trace: simulator.trace,
  };
}

function wrongsOf(session: SimSession, truth: NoisyTruth, noise: Noise): readonly Wrong[] {
  const { standing, ending, unsafe, late } = session;
  const isLicensed = standing === undefined && ending === "complete" && truth.isHeadBroken;
  const isUnexplained = standing !== undefined && !saysWhy(standing.ask, noise.troubles.keys());
  return [
    ...[unsafe, late].flatMap((wrong) => wrong ?? []),
    ...(isLicensed ? [{ invariant: "licence", what: "a broken branch is complete" }] : []),
    ...truth.blames().map((what) => ({ invariant: "blame", what })),
    ...(isUnexplained ? [{ invariant: "words", what: standing.ask }] : []),
  ];
}
