import type { Oid } from "../../base/oid.ts";
import type { Role } from "../../base/role.ts";
import type { EndedMilestone } from "../../fs-protocol/records/builder-log.ts";
import type { FixAttempt } from "../state/builder-state.ts";
import type { Budget } from "../../fs-protocol/home/budget.ts";
import type { HumanEdit, HumanItem } from "../state/fold-human.ts";
import type { PlanAnswer } from "../state/fold-planner.ts";
import type { Question } from "../state/open-unit.ts";
import type { PlanMilestone, MilestoneTicks } from "../../fs-protocol/codec/record-fields.ts";
import type { EngineHold } from "../state/role-turns.ts";

/** Why a role may have no turn for now: its slot is empty (coordination, "limited-until / budget"). */
export type TurnHold =
  | {
      readonly kind: "engine";
      readonly engine: string;
      readonly cause: EngineHold["cause"];
      readonly reason: string;
      /** Milliseconds since 1970; undefined if the hold lasts until a person ends it. */
      readonly untilMs: number | undefined;
    }
  | {
      readonly kind: "budget";
      /** Undefined for the budget of the whole session. */
      readonly milestone: string | undefined;
      readonly of: keyof Budget;
      readonly used: number;
      readonly allowed: number;
    };

/** The turn of its engine that a step takes. */
export interface StepTurn {
  /** The milestone that the turn counts toward; undefined if it counts only toward the session. */
  readonly milestone: string | undefined;
}

/** Nothing to do now: why, and when to look again even if no file changes. */
export interface Wait {
  readonly kind: "wait";
  readonly reason:
    | { readonly kind: "idle" }
    | { readonly kind: "paused" }
    | { readonly kind: "question"; readonly question: Question }
    | { readonly kind: "plan-undecided" }
    | { readonly kind: "old-view" }
    | { readonly kind: "plan" }
    | { readonly kind: "roles"; readonly roles: readonly Role[] }
    | { readonly kind: "hold"; readonly hold: TurnHold };
  readonly untilMs: number | undefined;
}

/** The role's process ends because it has nothing left to do. */
export interface Exit {
  readonly kind: "exit";
  readonly reason: "done" | "stopped" | "branch-rewritten";
}

/** An open begin in the role's own log. */
export interface Recover {
  readonly kind: "recover";
  readonly unit: string;
}

export type BuilderStep =
  | Wait
  | Exit
  | Recover
  | { readonly kind: "reopen"; readonly human: number }
  | { readonly kind: "adopt"; readonly answer: PlanAnswer }
  | { readonly kind: "refuse"; readonly answer: PlanAnswer; readonly reason: string }
  | {
      readonly kind: "adopt-edit";
      readonly edit: HumanEdit;
      readonly ticks: readonly MilestoneTicks[];
    }
  | { readonly kind: "refuse-edit"; readonly edit: HumanEdit; readonly reason: string }
  /** Verify at the session's base; `isAgain`: what is remembered of it counts only if it passed. */
  | { readonly kind: "base"; readonly unit: string; readonly isAgain: boolean }
  /** A person has answered that red against red without names is no worse. */
  | { readonly kind: "accept-base"; readonly unit: string; readonly question: string }
  /** A look at the user's remote; `mayMerge`: a person said to join what was rewritten there, too. */
  | { readonly kind: "remote"; readonly unit: string; readonly mayMerge: boolean }
  /** A person answered that wisp should leave the remote alone. */
  | { readonly kind: "leave-remote"; readonly unit: string; readonly question: string }
  | { readonly kind: "halt"; readonly why: "no-plan" | "planner-failed" | "no-progress" }
  | {
      readonly kind: "fix";
      /** One finding or bug, or several findings that share a turn. */
      readonly ids: readonly string[];
      readonly attempt: number;
      readonly unit: string;
    }
  | {
      readonly kind: "build";
      readonly milestone: PlanMilestone;
      readonly attempt: number;
      readonly unit: string;
    }
  | {
      /** A turn that looks for the cause of stalled attempts; it changes nothing. */
      readonly kind: "hint";
      readonly milestone: PlanMilestone;
      /** Build attempts at it so far, and those of them in a row without progress. */
      readonly attempts: number;
      readonly stalled: number;
      readonly unit: string;
    }
  | {
      readonly kind: "close";
      readonly cause: "all" | "timeout" | "failed" | "final";
      readonly waiting: readonly Role[];
      readonly fix: readonly string[];
      /** Those of `fix` that share a turn. */
      readonly batches: readonly (readonly string[])[];
    }
  | { readonly kind: "final"; readonly n: number }
  | {
      readonly kind: "done";
      readonly how: "complete" | "stuck";
      readonly open: readonly string[];
      readonly gaveup: readonly string[];
      readonly failed: readonly Role[];
      readonly human: number;
    };

export type PlannerStep =
  | Wait
  | Exit
  | Recover
  | {
      readonly kind: "plan";
      readonly unit: string;
      readonly boundary: number;
      readonly request: number;
      /** `keep`: answered without a turn. */
      readonly how: "first" | "replan" | "reconsider" | "keep";
      readonly reopens: number;
    };

/** A fix that its opener has not judged yet. */
export interface VerifyStep {
  readonly kind: "verify";
  readonly fix: FixAttempt;
  readonly unit: string;
}

/** A person's remark on one of the role's items that is not recorded yet. */
export interface AdoptStep {
  readonly kind: "adopt-human";
  readonly item: HumanItem;
}

/** A review of a milestone that is the review of its commits as well. */
export interface MilestoneCover {
  /** The milestone's end, to which the checkpoint moves with it; undefined: it lies there already. */
  readonly checkpoint: Oid | undefined;
}

export type ReviewerStep =
  | Wait
  | Exit
  | Recover
  | VerifyStep
  | AdoptStep
  | {
      readonly kind: "review-commit";
      /** The same as `sha`, but for consecutive commits that are one unit. */
      readonly first: Oid;
      readonly sha: Oid;
      readonly unit: string;
      readonly reopens: number;
    }
  | {
      readonly kind: "review-milestone";
      readonly milestone: EndedMilestone;
      /** Where commits of its range have no review of their own; absent: each has. */
      readonly covers?: MilestoneCover | undefined;
      readonly unit: string;
      readonly reopens: number;
    };

export type TesterStep =
  | Wait
  | Exit
  | Recover
  | VerifyStep
  | AdoptStep
  | {
      readonly kind: "test";
      readonly milestone: EndedMilestone;
      readonly unit: string;
      readonly reopens: number;
    }
  | {
      readonly kind: "final-test";
      readonly n: number;
      readonly unit: string;
      readonly reopens: number;
    };

/** A `Wait` without a time. */
export function waitFor(reason: Wait["reason"], untilMs?: number): Wait {
  return { kind: "wait", reason, untilMs };
}
