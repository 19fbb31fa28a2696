import type { RunEnd, SpawnFailure } from "../base/ports/processes.ts";
import type { Result } from "../base/result.ts";
import type { Role } from "../base/role.ts";
import type { FailureClass, FailureEvidence } from "../fs-protocol/records/failure-class.ts";
import type { TurnUsage } from "../fs-protocol/records/turn-usage.ts";
import type { BrokenServer, Denial, EngineEvent } from "./events/engine-event.ts";

/** The purpose of a turn; the engine gets it as `WISP_PURPOSE`. */
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

/** One run of an engine: its task, where it runs, and its environment. */
export interface TurnRequest {
  readonly role: Role;
  readonly purpose: Purpose;
  /** The session's id, and the absolute path of its home. */
  readonly session: string;
  readonly home: string;
  /** The unit's key, such as `build:API:1`, and the number of the attempt at that unit, from 1. */
  readonly unit: string;
  readonly attempt: number;
  /** 1, or 2 if the same attempt is repeated because its answer could not be used. */
  readonly ask: number;
  readonly prompt: string;
  /** The role's clone. */
  readonly cwd: string;
  readonly milestone?: string | undefined;
  readonly startSha?: string | undefined;
  readonly endSha?: string | undefined;
  /**
   * The turn's folder, an absolute path. It contains what the prompt names, for the engine to read but not to
   * write. Absent if the prompt names nothing.
   */
  readonly folder?: string | undefined;
  /** The file in that folder with the diff under review; a review that could not read it does not count. */
  readonly range?: string | undefined;
  /** The file to write the plan to, or the copy in which to tick tasks. */
  readonly tasksFile?: string | undefined;
  /** The id of the finding or bug to fix, or whose fix to check. */
  readonly finding?: string | undefined;
  /** The prefix of the raw output files: `<outputBase>.out` and `<outputBase>.err`. */
  readonly outputBase: string;
  readonly runId: string;
  /** Whether to run in a pid namespace of its own, if the system allows it. */
  readonly isIsolated?: boolean | undefined;
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
  /** A session of the same engine to continue, begun in the same `cwd`; if absent, a new one begins. */
  readonly resume?: { readonly session: string } | undefined;
  /** Overrides the model of the settings. */
  readonly model?: string | undefined;
  /** Called for each event as it happens. Engines without their own output format report none. */
  readonly onEvent?: ((event: EngineEvent) => void) | undefined;
}

/** What an engine reports about a turn, however it ended; anything it does not report is unknown. */
export interface TurnRecord {
  /** The session, by which it can be resumed. */
  readonly session?: string | undefined;
  readonly model?: string | undefined;
  /** As reported; `usedByRun` computes this turn's share. */
  readonly usage?: TurnUsage | undefined;
  /** MCP servers of the session that it could not start. */
  readonly brokenServers?: readonly BrokenServer[] | undefined;
  /** The calls that its permission rules refused. */
  readonly denials?: readonly Denial[] | undefined;
}

/** How a turn ended. The role checks every claim in it. */
export type TurnOutcome = TurnRecord & TurnResult;

type TurnResult =
  /** Exit code 0. `status` is CONTINUE if the engine reports that there is more to do. `text` is its answer. */
  | {
      readonly kind: "ended";
      readonly status: "CONTINUE" | "DONE";
      readonly summary: string;
      readonly text: string;
    }
  | { readonly kind: "needs-input"; readonly question: string }
  | { readonly kind: "blocked"; readonly question: string }
  /**
   * It crashed, timed out, or could not be started. `reason` is one line for people. `failure` classifies it, if
   * the engine can tell, and `evidence` by what; `untilMs` is when a limit ends, in milliseconds since 1970.
   */
  | {
      readonly kind: "failed";
      readonly reason: string;
      readonly failure?: FailureClass | undefined;
      readonly evidence?: FailureEvidence | undefined;
      readonly untilMs?: number | undefined;
      /** For a limit: whether it is that of the model alone, so that the engine can go on with another one. */
      readonly isOfModel?: boolean | undefined;
    }
  /** We stopped it ourselves: this is neither a failure nor an attempt. */
  | { readonly kind: "stopped" };

/** Options for connecting a person to an engine in the terminal, where every permission is requested. */
export interface InteractiveOptions {
  /** The clone of the role whose session is resumed. */
  readonly cwd: string;
  readonly runId: string;
  /** A session of the same engine to continue. */
  readonly resume?: string | undefined;
  /** The id for a new session, a UUID, for an engine that accepts one. */
  readonly begin?: string | undefined;
  readonly model?: string | undefined;
}

/** A coding CLI behind one port. */
export interface Engine {
  /** The engine's name in records and settings. */
  readonly name: string;
  turn(request: TurnRequest): Promise<TurnOutcome>;
  /**
   * Opens it for a person in our terminal. With the prompt `""` the person speaks first. Absent if not supported.
   */
  readonly interactive?:
    | ((prompt: string, options: InteractiveOptions) => Promise<Result<RunEnd, SpawnFailure>>)
    | undefined;
  /** Whether a session that it begins for a person gets the given id; false if absent. */
  readonly takesSessionId?: boolean | undefined;
  /**
   * What the raw output of an interrupted turn, whose files begin with `outputBase`, tells about it; `resumed` is
   * the session that the turn resumed.
   */
  readonly recall?: ((outputBase: string, resumed: string | undefined) => TurnRecord) | undefined;
}
