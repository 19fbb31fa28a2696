import type { FreeSpace } from "../../src/base/ports/directories.ts";
import { Random } from "../rig/random.ts";
import {
  KNOWN_RED,
  MODULES,
  wordsOf,
  type ProjectTest,
  type TestsOfTree,
} from "./noisy-project.ts";
import type { CommandWorld } from "./scene.ts";

/** What befalls one run of the suite. */
export type Trouble =
  | { readonly kind: "none" }
  /** These tests fail, though the tree is right in what they look at. */
  | { readonly kind: "red"; readonly tests: readonly ProjectTest[] }
  /** The runner fails, and names nothing. */
  | { readonly kind: "crash" }
  /** The disk is full. */
  | { readonly kind: "full" }
  | { readonly kind: "signal"; readonly name: string }
  | { readonly kind: "hang" };

/** Which tests fail by chance. */
const HABITS = [
  /** One test in a run, whichever. */
  "any",
  /** Always the same test. */
  "one",
  /** Each of three tests, independently. */
  "three",
] as const;
type Habit = (typeof HABITS)[number];

/** How often other troubles come, as a share of the looks that are red by chance. */
const OTHERS_SHARE = 0.2;
/** The runs for which a port is held at most: as many as a suite is looked at before it counts as red. */
const HELD_RUNS_MAX = 2;
/** The runs for which the disk is full at most: then a look at a commit stays unknown. */
const FULL_RUNS_MAX = 3;

const FULL: FreeSpace = { freeBytes: 0, freeFiles: 1_000 };
const ROOMY: FreeSpace = { freeBytes: 1e12, freeFiles: 1_000_000 };

/** What runs of the suite show that is not true, drawn from a seed. */
export class Noise {
  /** How many runs there were. */
  runs = 0;
  /** Tests that failed by chance, and other troubles, with how often each came. */
  readonly troubles = new Map<string, number>();
  readonly #random: Random;
  readonly #rate: number;
  readonly #habit: Habit;
  /** Titles of the tests that may fail by chance; undefined: any. */
  readonly #unsteady: readonly string[] | undefined;
  /** The test that needs a port. */
  readonly #server: string;
  /** The title of a test that fails by chance more often than others, and that every base passes. */
  readonly weak: string;
  #heldRuns = 0;
  #fullRuns = 0;

  constructor(seed: number, rate: number) {
    const random = Random.for(seed, "noise");
    this.#random = random;
    this.#rate = rate;
    this.#habit = HABITS[seed % HABITS.length] ?? "any";
    const titles = MODULES.flatMap((module) =>
      wordsOf(module).map((word) => `${module} holds ${word}`),
    ).filter((title) => !KNOWN_RED.endsWith(title));
    const count = this.#habit === "three" ? 3 : 1;
    const chosen = Array.from({ length: count }, () => random.pick(titles));
    this.weak = chosen[0] ?? "";
    this.#unsteady = this.#habit === "any" ? undefined : chosen;
    this.#server = random.pick(titles);
  }

  /** The space on the disk of the trees. */
  space(): FreeSpace {
    return this.#fullRuns > 0 ? FULL : ROOMY;
  }

  draw({ hasOwnLoopback }: CommandWorld, { tests }: TestsOfTree): Trouble {
    this.runs += 1;
    const trouble = this.#drawn(tests, hasOwnLoopback);
    const names = trouble.kind === "red" ? trouble.tests.map(({ title }) => title) : [trouble.kind];
    for (const name of names) this.troubles.set(name, (this.troubles.get(name) ?? 0) + 1);
    return trouble;
  }

  #drawn(tests: readonly ProjectTest[], hasOwnLoopback: boolean): Trouble {
    const random = this.#random;
    this.#heldRuns -= 1;
    this.#fullRuns -= 1;
    const others = this.#rate * OTHERS_SHARE;
    if (random.chance(others)) this.#heldRuns = random.between(1, HELD_RUNS_MAX);
    if (random.chance(others)) this.#fullRuns = random.between(1, FULL_RUNS_MAX);
    if (this.#fullRuns > 0) return { kind: "full" };
    if (random.chance(others)) {
      return { kind: "signal", name: random.pick(["SIGKILL", "SIGTERM"]) };
    }
    if (random.chance(others)) return { kind: "hang" };
    if (random.chance(others)) return { kind: "crash" };
    const isHeld = this.#heldRuns > 0 && !hasOwnLoopback;
    const inTheWay = isHeld ? tests.filter(({ title }) => title === this.#server) : [];
    const red = [...this.#byChance(tests), ...inTheWay].filter(({ isPassing }) => isPassing);
    return red.length === 0 ? { kind: "none" } : { kind: "red", tests: red };
  }

  #byChance(tests: readonly ProjectTest[]): readonly ProjectTest[] {
    const random = this.#random;
    if (this.#unsteady === undefined) {
      return tests.length > 0 && random.chance(this.#rate) ? [random.pick(tests)] : [];
    }
    const isUnsteady = ({ title }: ProjectTest) => this.#unsteady?.includes(title) === true;
    return tests.filter((test) => isUnsteady(test) && random.chance(this.#rate));
  }
}
