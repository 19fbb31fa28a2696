import type { Role } from "../../base/role.ts";
import type { Row, Span } from "../rows/row.ts";

export interface QuestionFacts {
  readonly id: string;
  readonly role: Role;
  readonly ask: string;
}

/** What the engines of a role say, the oldest line first. */
export interface TailFacts {
  readonly role: Role;
  /** The number of the first of the lines, where others were before them. */
  readonly first: number;
  readonly lines: readonly Span[];
}

/** A list of which as many rows are shown as there is room for. */
export interface ScreenSection {
  readonly title: string;
  readonly rows: readonly Row[];
  /** The row that is to be seen. */
  readonly from: number;
}

/** Everything that the screen shows of a session; its texts are cleaned. */
export interface ScreenFacts {
  readonly session: string;
  /** Seen before anything else: where it stands, its roles, counts, and what else is to be known. */
  readonly head: readonly Row[];
  readonly sections: readonly ScreenSection[];
  readonly questions: readonly QuestionFacts[];
  /** Roles whose engine works. */
  readonly atWork: readonly Role[];
  readonly tail: TailFacts | undefined;
  /** What came of the last key. */
  readonly said: readonly Span[];
}
