import type { Sandbox } from "../../src/base/ports/sandbox.ts";
import type { SessionJson } from "../../src/fs-protocol/home/session-json.ts";
import { DEFAULT_POLICY } from "../rig/default-policy.ts";
import { Random } from "../rig/random.ts";
import { SESSION } from "../rig/session.ts";
import type { Noise } from "./noise.ts";
import { baseFiles, KNOWN_RED } from "./noisy-project.ts";
import { suiteRun, VERIFY, type RunnerKind } from "./noisy-suite.ts";
import { LOOK, noisyTurn, type NoisyScript } from "./noisy-turn.ts";
import type { Play } from "./engine-turn.ts";
import type { CommandWorld, Scene } from "./scene.ts";

/** What the seed of a noisy session decides before it begins. */
export interface NoisyFacts {
  readonly runner: RunnerKind;
  /** Whether one test is truly red at the base. */
  readonly isRed: boolean;
  /** Whether the work begins on a red base without a question. */
  readonly acceptsRed: boolean;
  /** Whether a sandbox gives commands a loopback of their own. */
  readonly hasSandbox: boolean;
  /** How many questions a person answers, all with "again". */
  readonly patience: number;
}

const RUNNERS: readonly RunnerKind[] = ["narrowable", "narrowable", "named", "silent"];

export function noisyFacts(seed: number): NoisyFacts {
  const random = Random.for(seed, "noisy facts");
  const runner = random.pick(RUNNERS);
  return {
    runner,
    // A red that has no name excuses every other one, if a person accepts it.
    isRed: runner !== "silent" && random.chance(0.3),
    acceptsRed: runner !== "silent" && random.chance(0.5),
    hasSandbox: random.chance(0.5),
    patience: random.below(3),
  };
}

/** A session in which runs of the suite show what is not true. */
export function noisyScene(facts: NoisyFacts, rate: number, noise: Noise): Scene {
  const { isRed, runner, patience, hasSandbox } = facts;
  const script: NoisyScript = {
    isRed,
    rate,
    testCommand: VERIFY[runner].join(" "),
    weak: noise.weak,
  };
  const answered = new Set<string>();
  return {
    files: baseFiles(isRed),
    session: (base) => noisySession(facts, base),
    troubles: "kills",
    hasPeople: false,
    turn: (world) => noisyTurn(world, script),
    command: (world) => suiteRun(world, noise) ?? lookRun(world, noise),
    answerTo: ({ id }) => {
      if (!answered.has(id) && answered.size >= patience) return undefined;
      answered.add(id);
      return "again";
    },
    spaceAt: () => noise.space(),
    sandbox: hasSandbox ? LOOPBACKS : undefined,
  };
}

const LOOPBACKS: Sandbox = {
  kind: "bubblewrap",
  givesLoopback: true,
  confine: () => ({ ok: true, value: undefined }),
};

function noisySession({ runner, isRed, acceptsRed }: NoisyFacts, base: string): SessionJson {
  const known = isRed ? [KNOWN_RED] : [];
  const redBase = acceptsRed ? { accept: true as const } : { known };
  return {
    ...SESSION,
    version: 3,
    base,
    policy: { ...DEFAULT_POLICY, redBase },
    verify: [[...VERIFY[runner]]],
  };
}

/** The command of a bug, which looks for a word in a file. It is as noisy as the suite. */
function lookRun(world: CommandWorld, noise: Noise): Play | undefined {
  const [program = "", path = "", word = ""] = world.argv;
  return program === LOOK ? looked(world, noise, { path, word }) : undefined;
}

function* looked(
  world: CommandWorld,
  noise: Noise,
  { path, word }: { readonly path: string; readonly word: string },
): Play {
  const isThere = new RegExp(`\\b${word}\\b`).test(world.work.get(path) ?? "");
  const trouble = noise.draw(world, {
    tests: [{ file: path, title: LOOK, isPassing: isThere }],
    unloaded: [],
  });
  yield world.random.between(5, 100);
  if (trouble.kind === "hang") yield 20 * 60_000;
  if (trouble.kind === "signal") return { exitCode: 1, stdout: "", signalName: trouble.name };
  const exitCode = isThere && trouble.kind === "none" ? 0 : 1;
  return { exitCode, stdout: `looked for ${word}\n` };
}
