import type { RunEnd, SpawnFailure } from "../base/ports/processes.ts";
import type { Result } from "../base/result.ts";
import type { Role } from "../base/role.ts";
import type { FailureClass } from "../fs-protocol/records/failure-class.ts";
import type { TurnUsage } from "../fs-protocol/records/turn-usage.ts";
import type { Denial, EngineEvent } from "./events/engine-event.ts";

/** Why a turn is run; the engine learns it as `WISP_PURPOSE`. */
export const PURPOSES = [
  "plan",
  "replan",
  "build",
  "stuck-hint",
  "fix",
  "review-commit",
  "review-milestone",
  "verify-fix",
  "test",
  "final-test",
  "revise",
] as const;
export type Purpose = (typeof PURPOSES)[number];

/** One run of an engine: what it is asked, where it runs, and what it may know. */
export interface TurnRequest {
  readonly role: Role;
  readonly purpose: Purpose;
  /** The session's id and the absolute path of its home. */
  readonly session: string;
  readonly home: string;
  /** The unit's key, such as `build:API:1`, and which attempt at that unit this is, from 1. */
  readonly unit: string;
  readonly attempt: number;
  /** 1, or 2 when the same attempt is asked again because the answer could not be used. */
  readonly ask: number;
  readonly prompt: string;
  /** The role's clone. */
  readonly cwd: string;
  readonly milestone?: string | undefined;
  readonly startSha?: string | undefined;
  readonly endSha?: string | undefined;
  /**
   * The turn's folder, absolute: what the prompt names lies in it, for the engine to read and not to write.
   * Absent: the prompt names nothing.
   */
  readonly folder?: string | undefined;
  /** The file in that folder with the diff that a review is about: a review that could not read it is none. */
  readonly range?: string | undefined;
  /** Where to write the plan, or the copy to tick. */
  readonly tasksFile?: string | undefined;
  /** Id of the finding or bug to fix or to look at again. */
  readonly finding?: string | undefined;
  /** Raw output: `<outputBase>.out` and `<outputBase>.err`. */
  readonly outputBase: string;
  readonly runId: string;
  /** Whether it is to run in a pid namespace of its own, where there is one. */
  readonly isIsolated?: boolean | undefined;
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
  /** A session of the same engine to go on with, begun in the same `cwd`; absent: a fresh one. */
  readonly resume?: { readonly session: string } | undefined;
  /** Instead of the model of the settings. */
  readonly model?: string | undefined;
  /** Told of what happens, as it happens. Engines without a format of their own tell nothing. */
  readonly onEvent?: ((event: EngineEvent) => void) | undefined;
}

/** What an engine tells of a turn, however it ended; what it does not tell is unknown. */
export interface TurnRecord {
  /** To be resumed. */
  readonly session?: string | undefined;
  readonly model?: string | undefined;
  /** As reported: `usedByRun` says what of it belongs to this turn. */
  readonly usage?: TurnUsage | undefined;
  /** What its permission rules refused. */
  readonly denials?: readonly Denial[] | undefined;
}

/** How a turn ended. What it claims is checked by the role, never believed. */
export type TurnOutcome = TurnRecord & TurnResult;

type TurnResult =
  /** Exit 0; `status` is CONTINUE when the engine says that there is more to do. `text` is its answer. */
  | {
      readonly kind: "ended";
      readonly status: "CONTINUE" | "DONE";
      readonly summary: string;
      readonly text: string;
    }
  | { readonly kind: "needs-input"; readonly question: string }
  | { readonly kind: "blocked"; readonly question: string }
  /**
   * Crashed, timed out, not startable: `reason` is one line for people. `failure` says what can be done
   * about it, where the engine can tell; `untilMs`: when a limit ends, in milliseconds since 1970.
   */
  | {
      readonly kind: "failed";
      readonly reason: string;
      readonly failure?: FailureClass | undefined;
      readonly untilMs?: number | undefined;
    }
  /** Interrupted by our own stop: no failure, no attempt. */
  | { readonly kind: "stopped" };

/** How a person is connected to an engine: in the terminal, with every question asked. */
export interface InteractiveOptions {
  /** A clone: the role's, whose session is resumed. */
  readonly cwd: string;
  readonly runId: string;
  /** A session of the same engine to go on with. */
  readonly resume?: string | undefined;
  /** Id of the session that it begins, a UUID, for an engine that takes one. */
  readonly begin?: string | undefined;
  readonly model?: string | undefined;
}

/** A coding CLI behind one port. */
export interface Engine {
  /** Its name in records and settings. */
  readonly name: string;
  turn(request: TurnRequest): Promise<TurnOutcome>;
  /** Opens it for a person in our terminal, who may say the first word (`""`); undefined: it has no such mode. */
  readonly interactive?:
    | ((prompt: string, options: InteractiveOptions) => Promise<Result<RunEnd, SpawnFailure>>)
    | undefined;
  /** Whether the session that it begins for a person gets the id that it is given; absent: it does not. */
  readonly takesSessionId?: boolean | undefined;
  /**
   * What is known of a turn that was interrupted, from its raw output, whose files begin with `outputBase`,
   * and from the session that it `resumed`.
   */
  readonly recall?: ((outputBase: string, resumed: string | undefined) => TurnRecord) | undefined;
}
