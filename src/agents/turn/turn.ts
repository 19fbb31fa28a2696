import type { Purpose, TurnRequest } from "../../engines/engine.ts";
import type { CommonRecord } from "../../fs-protocol/records/common-records.ts";
import type { EngineSession } from "../../session/state/role-turns.ts";
import type { Journal } from "../work/journal.ts";
import type { RoleContext } from "../work/role-context.ts";
import type { TurnFolder } from "./turn-folder.ts";

/** What a turn needs of its role. */
export type TurnContext = Omit<RoleContext, "journal"> & {
  readonly journal: Journal<CommonRecord>;
};

/** What a turn is asked, and the folder with what that names. */
export type Asked = Pick<RoleTurn, "prompt" | "folder">;

/** What differs from turn to turn. */
export interface RoleTurn {
  readonly purpose: Purpose;
  readonly unit: string;
  /** Attempt at the unit, from 1, and which ask of that attempt this is: 2 is a re-ask. */
  readonly attempt: number;
  readonly ask: number;
  readonly prompt: string;
  /** What the prompt names, for the engine to read. */
  readonly folder: TurnFolder;
  readonly cwd: string;
  /** For which milestone it is counted (`StepTurn`). */
  readonly milestone: string | undefined;
  /**
   * Units whose engine session it goes on with, after its own: the first that is known. A unit of its own
   * that was begun before is resumed anyway.
   */
  readonly resumes?: readonly string[] | undefined;
  /** A conversation of another session that it goes on with, where there is none of this one. */
  readonly goesOnWith?: EngineSession | undefined;
  /** Where several run at the same time: which of them, and a word that tells their outputs apart. */
  readonly lane?: number | undefined;
  readonly part?: string | undefined;
  /** Name of the engine that takes it, before the role's own. */
  readonly engine?: string | undefined;
  /** Instead of the model of the settings; known to the first engine that is asked alone. */
  readonly model?: string | undefined;
  readonly about?: Partial<
    Pick<TurnRequest, "milestone" | "startSha" | "endSha" | "tasksFile" | "finding">
  >;
}
