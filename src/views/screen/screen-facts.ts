import type { Role } from "../../base/role.ts";
import type { Row, Span } from "../rows/row.ts";

export interface QuestionFacts {
  readonly id: string;
  readonly role: Role;
  readonly ask: string;
}

/** The output of a role's engines, oldest line first. */
export interface TailFacts {
  readonly role: Role;
  /** The number of the first line; greater than 0 if earlier lines were dropped. */
  readonly first: number;
  readonly lines: readonly Span[];
}

/** A list that shows as many rows as there is room for. */
export interface ScreenSection {
  readonly title: string;
  readonly rows: readonly Row[];
  /** Index of the row that must be visible. */
  readonly from: number;
}

/** Everything that the screen shows about a session; all texts are cleaned. */
export interface ScreenFacts {
  readonly session: string;
  /** Shown first: the state of the session, its roles, counts and notices. */
  readonly head: readonly Row[];
  readonly sections: readonly ScreenSection[];
  readonly questions: readonly QuestionFacts[];
  /** Roles whose engine is in a turn. */
  readonly atWork: readonly Role[];
  readonly tail: TailFacts | undefined;
  /** The result of the last key. */
  readonly said: readonly Span[];
}
