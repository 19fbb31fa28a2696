import { Random } from "../rig/random.ts";
import type { Misfortune } from "./node-fs.ts";

/** The number of injected faults of each kind. */
export interface FaultCounts {
  kills: number;
  tornWrites: number;
  powerCuts: number;
  /** Files that lost bytes in a power cut. */
  tornFiles: number;
  diskErrors: number;
  gitFailures: number;
  droppedHints: number;
  delayedHints: number;
}

function noFaults(): FaultCounts {
  return {
    kills: 0,
    tornWrites: 0,
    powerCuts: 0,
    tornFiles: 0,
    diskErrors: 0,
    gitFailures: 0,
    droppedHints: 0,
    delayedHints: 0,
  };
}

/** No fault comes later than this in virtual time. */
const FAULTS_END_MS_MAX = 90_000;

/** What fails in a session besides programs: nothing, roles that are killed and hints that are lost, or everything. */
export type Troubles = "none" | "kills" | "all";

/** The faults of a session, which the seed determines: how often each may happen, and until when. */
export class Fate {
  readonly counts = noFaults();
  readonly random: Random;
  /** After the start of the session; from then on nothing fails. */
  readonly endsAfterMs: number;
  readonly kills: number;
  readonly powerCuts: number;
  readonly dropped: number;
  readonly delayed: number;
  /** Share of turns that fail, hang, ask, or print nothing useful. */
  readonly badTurns: number;
  readonly #diskErrors: number;
  readonly #gitFailures: number;

  constructor(seed: number, troubles: Troubles = "all") {
    const random = Random.for(seed, "fate");
    this.random = random;
    const calm = random.chance(0.1);
    this.endsAfterMs = random.between(3_000, FAULTS_END_MS_MAX);
    this.kills = calm ? 0 : random.between(0, 8);
    this.powerCuts = random.chance(0.5) ? random.between(1, 3) : 0;
    this.dropped = random.pick([0, 0, 0.2, 1]);
    this.delayed = random.pick([0, 0, 0.2]);
    this.badTurns = random.pick([0, 0.05, 0.15]);
    this.#diskErrors = calm ? 0 : random.pick([0, 0, 2, 5]);
    this.#gitFailures = random.pick([0, 0, 2]);
    if (troubles === "all") return;
    this.powerCuts = 0;
    this.badTurns = 0;
    this.#diskErrors = 0;
    this.#gitFailures = 0;
  }

  /** The number of changing system calls after which a new process dies; Infinity if it is not to die in one. */
  callsToLive(): number {
    const isDoomed = this.counts.kills < this.kills && this.random.chance(0.6);
    return isDoomed ? this.random.between(1, 80) : Infinity;
  }

  /** How the process dies in this call. */
  death(): Misfortune {
    const share = this.random.unit();
    return { kind: "die", when: this.random.chance(0.5) ? "before" : "after", share };
  }

  /** Whether a call of the disk fails, and how. */
  diskError(operation: string): Misfortune {
    const { random, counts } = this;
    if (counts.diskErrors >= this.#diskErrors || !random.chance(0.01)) return { kind: "none" };
    switch (operation) {
      case "write":
        counts.diskErrors += 1;
        if (random.chance(0.5)) return { kind: "short", share: random.unit() };
        return { kind: "errno", errno: random.pick(["ENOSPC", "EIO"]) };
      case "read":
        if (!random.chance(0.1)) return { kind: "none" };
        counts.diskErrors += 1;
        return { kind: "errno", errno: "EIO" };
      case "fsync":
        counts.diskErrors += 1;
        return { kind: "errno", errno: "EIO" };
      default:
        counts.diskErrors += 1;
        return { kind: "errno", errno: "ENOSPC" };
    }
  }

  gitFails(): boolean {
    const { random, counts } = this;
    if (counts.gitFailures >= this.#gitFailures || !random.chance(0.01)) return false;
    counts.gitFailures += 1;
    return true;
  }
}
