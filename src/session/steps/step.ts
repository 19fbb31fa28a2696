import type { Oid } from "../../base/oid.ts";
import type { Role } from "../../base/role.ts";
import type { EndedMilestone } from "../../fs-protocol/records/builder-log.ts";
import type { FixAttempt } from "../state/builder-state.ts";
import type { Budget } from "../../fs-protocol/home/budget.ts";
import type { HumanEdit, HumanItem } from "../state/fold-human.ts";
import type { PlanAnswer } from "../state/fold-planner.ts";
import type { Question } from "../state/open-unit.ts";
import type { PlanMilestone, MilestoneTicks } from "../../fs-protocol/codec/record-fields.ts";
import type { WantedEngine } from "../state/session-state.ts";
import type { EngineHold } from "../state/role-turns.ts";

/**
 * Why a role may have no turn for now, so that it waits.
 */
export type TurnHold =
  | {
      readonly kind: "engine";
      readonly engine: string;
      /** The only model that it concerns; absent: all. */
      readonly model?: EngineHold["model"];
      readonly cause: EngineHold["cause"];
      /** When it was recorded, in milliseconds since 1970. */
      readonly sinceMs: number;
      readonly reason: string;
      /** Milliseconds since 1970; undefined if the hold lasts until a person ends it. */
      readonly untilMs: number | undefined;
      /** Where that end is from. */
      readonly end?: EngineHold["end"];
    }
  | {
      readonly kind: "budget";
      /** Undefined for the budget of the whole session. */
      readonly milestone: string | undefined;
      readonly of: keyof Budget;
      readonly used: number;
      readonly allowed: number;
    };

/** The engine turn that a step needs. */
export interface StepTurn extends WantedEngine {
  /** The milestone that the turn counts toward; undefined if it counts only toward the session. */
  readonly milestone: string | undefined;
}

/** The role has nothing to do now: the reason, and when to decide again even if no file changes. */
export interface Wait {
  readonly kind: "wait";
  readonly reason:
    | { readonly kind: "idle" }
    | { readonly kind: "paused" }
    | { readonly kind: "question"; readonly question: Question }
    | { readonly kind: "plan-undecided" }
    | { readonly kind: "old-view" }
    | { readonly kind: "plan" }
    /** A person has to approve, change or reject the planner's plan. */
    | { readonly kind: "approval"; readonly answer: PlanAnswer }
    | { readonly kind: "roles"; readonly roles: readonly Role[] }
    | { readonly kind: "hold"; readonly hold: TurnHold };
  readonly untilMs: number | undefined;
}

/** The role's process ends because it has nothing left to do. */
export interface Exit {
  readonly kind: "exit";
  readonly reason: "done" | "stopped" | "branch-rewritten";
}

/** A unit in the role's own log was begun and has no end: it must be recovered. */
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
  | {
      readonly kind: "refuse";
      readonly answer: PlanAnswer;
      readonly reason: string;
      /** The version of the request that makes the plan outdated, if that is why. */
      readonly request?: number;
    }
  | {
      readonly kind: "adopt-edit";
      readonly edit: HumanEdit;
      readonly ticks: readonly MilestoneTicks[];
    }
  | { readonly kind: "refuse-edit"; readonly edit: HumanEdit; readonly reason: string }
  /** Run verify at the session's base; `isAgain`: a remembered result counts only if it passed. */
  | { readonly kind: "base"; readonly unit: string; readonly isAgain: boolean }
  /**
   * A person answered that a red result without test names is no worse than a red base without test
   * names.
   */
  | {
      readonly kind: "accept-base";
      readonly unit: string;
      readonly question: string;
      /** The session's settings have the answer; otherwise a person gave it. */
      readonly isBefore: boolean;
    }
  /**
   * Fetch from the user's remote and push to it; `mayMerge`: a person allowed merging a history
   * that was rewritten there.
   */
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
      /** How many of the latest attempts made no progress. */
      readonly stalled: number;
      readonly unit: string;
    }
  | {
      /** A turn that investigates why attempts stalled; it changes no files. */
      readonly kind: "hint";
      readonly milestone: PlanMilestone;
      /**
       * Number of build attempts at the milestone so far, and how many of the latest made no
       * progress.
       */
      readonly attempts: number;
      readonly stalled: number;
      readonly unit: string;
    }
  | {
      readonly kind: "close";
      readonly cause: "all" | "timeout" | "failed" | "final";
      readonly waiting: readonly Role[];
      readonly fix: readonly string[];
      /** The items of `fix` that share a turn. */
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

/**
 * An `add` or `dismiss` of a person for one of the role's items that its log does not record yet.
 */
export interface AdoptStep {
  readonly kind: "adopt-human";
  readonly item: HumanItem;
}

/** A milestone's review that also counts as the review of its commits. */
export interface MilestoneCover {
  /**
   * The milestone's end, to which the review moves the checkpoint; undefined if the checkpoint is
   * already past it.
   */
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
      /**
       * The first commit of the range; the same as `sha` unless consecutive commits form one unit.
       */
      readonly first: Oid;
      readonly sha: Oid;
      readonly unit: string;
      readonly reopens: number;
    }
  | {
      readonly kind: "review-milestone";
      readonly milestone: EndedMilestone;
      /** Set if commits of its range have no review of their own; absent if each has one. */
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

/** Creates a `Wait`; without `untilMs` it lasts until a file changes. */
export function waitFor(reason: Wait["reason"], untilMs?: number): Wait {
  return { kind: "wait", reason, untilMs };
}
