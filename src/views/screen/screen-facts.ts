import type { Role } from "../../base/role.ts";
import type { Style } from "../rows/styled-row.ts";

/** A line that may hold words of models: cleaned, without line breaks. */
export interface ScreenLine {
  readonly style: Style;
  readonly text: string;
}

/** What somebody did, as one line. */
export interface EventLine extends ScreenLine {
  readonly speaker: Role | "wisp" | "you";
}

export interface RoleFacts {
  readonly role: Role;
  readonly state: "works" | "interrupted" | "waits" | "due" | "ended" | "failed";
  readonly isRunning: boolean;
  /** The rest of a sentence that begins with the role. */
  readonly says: string;
}

export interface MilestoneFacts {
  readonly name: string;
  readonly tasksDone: number;
  readonly tasks: number;
  readonly isFinished: boolean;
  readonly isReviewed: boolean;
  readonly isTested: boolean;
  /** Others are built first. */
  readonly isSetAside?: boolean;
  /** That it does not get on, in words. */
  readonly stall?: string;
}

export interface ItemFacts {
  readonly id: string;
  readonly kind: "finding" | "bug";
  readonly level: string;
  readonly brief: string;
  readonly isBlocking: boolean;
}

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
  readonly lines: readonly ScreenLine[];
}

/** Everything that the screen shows of a session; its texts are cleaned. */
export interface ScreenFacts {
  readonly session: string;
  readonly branch: string;
  /** What it is about, in a word or two. */
  readonly phase: string;
  /** What else is to be known: an end, a stop in force, a drain window and how long it lasts. */
  readonly notices: readonly ScreenLine[];
  readonly roles: readonly RoleFacts[];
  readonly milestones: readonly MilestoneFacts[];
  readonly reviewed: { readonly commits: number; readonly of: number };
  readonly openItems: readonly ItemFacts[];
  /** Turns, tokens and cost, in words. */
  readonly spent: string | undefined;
  readonly questions: readonly QuestionFacts[];
  /** The oldest first. */
  readonly events: readonly EventLine[];
  readonly tail: TailFacts | undefined;
  /** What came of the last key. */
  readonly said: readonly ScreenLine[];
}
