import type { Purpose, TurnRequest } from "../../engines/engine.ts";
import type { CommonRecord } from "../../fs-protocol/records/common-records.ts";
import type { EngineSession } from "../../session/state/role-turns.ts";
import type { Journal } from "../journal.ts";
import type { RoleContext } from "../role-context.ts";
import type { TurnFolder } from "./turn-folder.ts";

/** What a turn needs from its role. */
export type TurnContext = Omit<RoleContext, "journal"> & {
  readonly journal: Journal<CommonRecord>;
};

/** A turn's prompt, and the folder with the files that it names. */
export type Asked = Pick<RoleTurn, "prompt" | "folder">;

/** What differs from turn to turn. */
export interface RoleTurn {
  readonly purpose: Purpose;
  readonly unit: string;
  /** Number of the attempt at the unit, from 1; `ask`: 1, or 2 if the same attempt is asked again. */
  readonly attempt: number;
  readonly ask: number;
  readonly prompt: string;
  /** The files that the prompt names, for the engine to read. */
  readonly folder: TurnFolder;
  readonly cwd: string;
  /** The milestone to which the turn is counted (`StepTurn`). */
  readonly milestone: string | undefined;
  /**
   * Units whose engine session the turn may resume, the first known one counts. The unit's own session, if there is
   * one, comes before these.
   */
  readonly resumes?: readonly string[] | undefined;
  /** An engine session of another wisp session to resume if this one has none. */
  readonly goesOnWith?: EngineSession | undefined;
  /** For turns that run at the same time: the lane, and a word that distinguishes their outputs. */
  readonly lane?: number | undefined;
  readonly part?: string | undefined;
  /** Name of the engine to prefer over the role's own. */
  readonly engine?: string | undefined;
  /** Model to use instead of that of the settings; not passed to a substitute engine. */
  readonly model?: string | undefined;
  /** For a build: how many of the latest attempts at its milestone made no progress; absent: none. */
  readonly stalled?: number | undefined;
  readonly about?: Partial<
    Pick<TurnRequest, "milestone" | "startSha" | "endSha" | "tasksFile" | "finding">
  >;
}
