import type { OpenUnit } from "../../src/session/state/open-unit.ts";
import type { PlanMilestone } from "../../src/fs-protocol/codec/record-fields.ts";

/** A unit of the builder between its begin and its end. */
export type BuildUnit =
  | {
      readonly kind: "build";
      readonly unit: string;
      readonly milestone: PlanMilestone;
      /** Ticks and own commits of the milestone when the unit began. */
      readonly ticked: number;
      readonly own: number;
    }
  | {
      readonly kind: "fix";
      readonly unit: string;
      readonly ids: readonly string[];
      readonly attempt: number;
    }
  | {
      readonly kind: "hint";
      readonly unit: string;
      readonly m: string;
      readonly attempts: number;
      readonly stalled: number;
    }
  | { readonly kind: "remote"; readonly unit: string };

/** A unit of the tester between its begin and its end. */
export type TestUnit =
  | {
      readonly kind: "test";
      readonly unit: string;
      readonly m: string;
      /** Reopens in view when it was decided. */
      readonly reopens: number;
    }
  | { readonly kind: "final"; readonly unit: string; readonly n: number };

/** How far a unit is: `killed` between begin and end and not recovered yet, or its commits are `pushed`. */
export type Stage = "idle" | "killed" | "turn" | "pushed";

/** What each stage adds to the measure that shows that every step is progress (L3). */
const RAISE: Readonly<Record<Stage, number>> = { idle: 0, killed: 1, turn: 2, pushed: 3 };

/** What the builder or the tester is working on. Interned. */
export interface Working<U> {
  readonly id: number;
  /** Undefined when idle. */
  readonly unit: U | undefined;
  readonly stage: Stage;
  readonly raise: number;
  /** The open unit as the role's own fold shows it after a restart. */
  readonly open: OpenUnit<never> | undefined;
}

/** All units of a role that the exploration has met. */
export class WorkSpace<U extends { readonly unit: string }> {
  readonly idle: Working<U>;
  readonly #known = new Map<string, Working<U>>();
  readonly #killed = new Map<Working<U>, Working<U>>();

  constructor() {
    this.idle = this.#make("", undefined, "idle");
  }

  at(unit: U, stage: Exclude<Stage, "idle">): Working<U> {
    const key = stage + JSON.stringify(unit);
    return this.#known.get(key) ?? this.#make(key, unit, stage);
  }

  /** The same unit after its process was killed. */
  killed(working: Working<U>): Working<U> {
    const known = this.#killed.get(working);
    if (known !== undefined || working.unit === undefined) return known ?? working;
    const killed = this.at(working.unit, "killed");
    this.#killed.set(working, killed);
    return killed;
  }

  #make(key: string, unit: U | undefined, stage: Stage): Working<U> {
    const open = unit === undefined || stage !== "killed" ? undefined : openUnit(unit.unit);
    const working = { id: this.#known.size, unit, stage, raise: RAISE[stage], open };
    this.#known.set(key, working);
    return working;
  }
}

/** A unit that has begun, and of which nothing else is recorded. */
export function openUnit(unit: string): OpenUnit<never> {
  return {
    unit,
    base: undefined,
    failures: 0,
    lastFailure: undefined,
    intent: undefined,
    isRecovered: false,
    turn: undefined,
    waiting: undefined,
  };
}
