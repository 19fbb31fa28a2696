import type { LineRange } from "./loose-boxes.ts";

/** The forms in which other tools keep their tasks. */
export type ToolForm = "spec-kit" | "kiro" | "openspec" | "bmad" | "ralphex" | "taskmaster";

/** A document that lists tasks, read: all that it takes to write a plan. */
export interface TaskDocument {
  readonly form: ToolForm | "checklist";
  /** In the order in which they are built; never empty. */
  readonly milestones: readonly DocumentMilestone[];
  /** Where the tasks stand, to find the boxes that are none; empty for JSON. */
  readonly ranges: readonly LineRange[];
  /** What a person should know about the reading; each is a sentence without its full stop. */
  readonly remarks: readonly string[];
}

export interface DocumentMilestone {
  /** As in the document, on one line; neither unique nor of limited length. */
  readonly name: string;
  /** The lines of its section that are no tasks, as written. */
  readonly about: readonly string[];
  /** Never empty. */
  readonly tasks: readonly DocumentTask[];
}

export interface DocumentTask {
  /** On one line, with its id and its labels; of any length. */
  readonly text: string;
  /** Its details, each on one line. */
  readonly steps: readonly string[];
  readonly ticked: boolean;
}
