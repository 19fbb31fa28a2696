import type { Role } from "../../base/role.ts";
import type { Row, Span } from "../rows/row.ts";
import type { PageFacts } from "./page-facts.ts";

export interface QuestionFacts {
  readonly id: string;
  readonly role: Role;
  readonly ask: string;
}

/** A role, what it does, and the signs of life of its engine. */
export interface RoleFacts {
  readonly role: Role;
  readonly says: Span;
  /** Whether its engine is in a turn. */
  readonly isAtWork: boolean;
  /** How long that turn has been running, in words. */
  readonly elapsed: string | undefined;
  /** Differs after each piece of output; undefined if the engine has not printed anything lately. */
  readonly beat: number | undefined;
  /** The last line that the engine printed in that turn. */
  readonly lastLine: string | undefined;
}

/** The output of a role's engines, oldest line first. */
export interface TailFacts {
  readonly role: Role;
  /** The number of the first line; greater than 0 if earlier lines were dropped. */
  readonly first: number;
  readonly lines: readonly Row[];
}

/** The lists of the summary, in their order; each has a pane of its own if there is room. */
export const PANES = ["milestones", "open", "tasks", "events"] as const;
export type PaneName = (typeof PANES)[number];

/** A list that shows as many rows as there is room for. */
export interface ScreenSection {
  readonly name: PaneName;
  readonly title: string;
  /** The number of the first row; greater than 0 if earlier rows were dropped. */
  readonly first: number;
  readonly rows: readonly Row[];
  /** Index of the row that must be visible; `rows.length` to follow the end. */
  readonly from: number;
}

/** Everything that the screen shows about a session; all texts are cleaned. */
export interface ScreenFacts {
  readonly session: string;
  /** Shown first: the state of the session, its progress, its branch and what it used. */
  readonly title: readonly Row[];
  /** The tasks of its plan. */
  readonly tasks: { readonly done: number; readonly of: number };
  readonly roles: readonly RoleFacts[];
  /** Counts and notices. */
  readonly notices: readonly Row[];
  readonly sections: readonly ScreenSection[];
  /** The tasks of the milestone that is built now or next; a wide screen shows them where room is left. */
  readonly openTasks?: ScreenSection | undefined;
  readonly questions: readonly QuestionFacts[];
  /** Whether keys decide nothing, since another session is shown than the one that the command runs. */
  readonly isReadOnly?: boolean | undefined;
  /** Whether a plan waits for the person's approval. */
  readonly isPlanWaiting?: boolean | undefined;
  /** Roles whose engine is in a turn. */
  readonly atWork: readonly Role[];
  readonly tail: TailFacts | undefined;
  /** The page that is shown in place of the summary; absent if none is, or while it is being read. */
  readonly page?: PageFacts | undefined;
  /** The result of the last key. */
  readonly said: readonly Span[];
}
