import type { Role } from "../../base/role.ts";

/** Where in a home something is wrong. */
export interface IssuePlace {
  /** Absolute path of the file. */
  readonly path: string;
  /** Where the line begins; undefined if the issue concerns the file as a whole. */
  readonly offsetBytes?: number | undefined;
}

/** What a record may refer to in another log. */
export type Referred =
  "edit" | "final pass" | "fix" | "item" | "milestone" | "plan" | "record of human.log" | "word";

/** One way in which a home violates the protocol. */
export type HomeProblem =
  /** A complete line that is not a valid record or line of its file, and was not sealed as torn. */
  | { readonly kind: "bad-line"; readonly problem: string }
  /** Bytes after the last newline, and no running process that could be writing them. */
  | { readonly kind: "torn-tail" }
  | { readonly kind: "unit-without-begin"; readonly unit: string }
  | { readonly kind: "unit-ended-twice"; readonly unit: string }
  /** Begun, neither ended nor recovered, before another unit began. */
  | { readonly kind: "unit-left"; readonly unit: string; readonly next: string }
  /** Begun and not ended, and its role is not running: the role recovers it when it starts. */
  | { readonly kind: "unit-interrupted"; readonly unit: string; readonly role: Role }
  | {
      readonly kind: "range-broken";
      readonly milestone: string;
      readonly start: string;
      readonly expected: string;
    }
  | { readonly kind: "range-backwards"; readonly milestone: string }
  | { readonly kind: "milestone-twice"; readonly milestone: string }
  | { readonly kind: "milestone-not-planned"; readonly milestone: string }
  | {
      readonly kind: "number-broken";
      readonly what: "final pass" | "plan answer" | "version of the request";
      readonly found: number;
      readonly expected: number;
    }
  | { readonly kind: "refers-to-nothing"; readonly to: Referred; readonly name: string }
  | { readonly kind: "commit-missing"; readonly sha: string }
  | { readonly kind: "commit-not-on-branch"; readonly sha: string; readonly branch: string }
  | { readonly kind: "branch-gone"; readonly branch: string }
  | { readonly kind: "plan-missing"; readonly plan: string; readonly way?: PlanWay | undefined }
  /** The file's bytes do not match the hash in its name. */
  | { readonly kind: "plan-altered"; readonly plan: string; readonly way?: PlanWay | undefined }
  /** The record's milestones differ from those of the file that it names. */
  | { readonly kind: "plan-differs"; readonly plan: string }
  | { readonly kind: "tasks-differ" }
  /** `.stuck-hint.md` is not the newest hint in the log. */
  | { readonly kind: "hint-differs" }
  /** A person edited it: the next command that starts the builder adopts the edit. */
  | { readonly kind: "tasks-edited" }
  /** A projection lacks a line that the log implies. */
  | { readonly kind: "line-missing"; readonly text: string }
  /** A projection has a line that the log does not imply. */
  | { readonly kind: "line-extra"; readonly text: string }
  | { readonly kind: "line-misplaced"; readonly text: string }
  | { readonly kind: "request-missing" }
  | { readonly kind: "request-differs" }
  | { readonly kind: "id-differs"; readonly id: string }
  /** What a killed process left behind. */
  | { readonly kind: "leftover"; readonly what: "holder" | "lock" | "temporary" }
  | { readonly kind: "current-link" }
  /**
   * Something else occupies the place of a file or directory of wisp's; it is never opened or
   * followed.
   */
  | { readonly kind: "odd-entry"; readonly is: OddKind; readonly expected: "file" | "directory" }
  | { readonly kind: "directory-missing" }
  /** A copy outside of the home contains what the file lacks. */
  | { readonly kind: "copy-differs"; readonly found: "missing" | "cut" | "grown" | "edited" }
  /** The whole home is missing; files outside of it prove that the session existed. */
  | { readonly kind: "home-removed"; readonly branch: string }
  /** A log that was written, but of which neither the file nor a copy exists. */
  | { readonly kind: "log-lost"; readonly branch: string };

/** What may occupy the place of something else. */
export type OddKind = "file" | "directory" | "link" | "pipe" | "socket" | "device";

/**
 * How a staged plan can be recovered: from its copy, from TASKS.md, from the logs, or as a new plan
 * with the milestones and tasks that the logs hold. `none`: not at all, and nothing needs it any
 * more.
 */
export type PlanWay = "copy" | "tasks" | "logs" | "recreate" | "none";

/** A problem and its place. */
export type HomeIssue = IssuePlace & HomeProblem;

/** How serious it is, and whether `--repair` reliably fixes it. */
export interface IssueClass {
  /** `warning`: nothing is lost or misread, and wisp copes with it by itself. */
  readonly severity: "error" | "warning";
  readonly canRepair: boolean;
}

const ERROR: IssueClass = { severity: "error", canRepair: false };
const REPAIRABLE_ERROR: IssueClass = { severity: "error", canRepair: true };
const WARNING: IssueClass = { severity: "warning", canRepair: false };
const REPAIRABLE_WARNING: IssueClass = { severity: "warning", canRepair: true };

const CLASSES: Readonly<Record<HomeProblem["kind"], IssueClass>> = {
  "bad-line": ERROR,
  "torn-tail": REPAIRABLE_WARNING,
  "unit-without-begin": ERROR,
  "unit-ended-twice": ERROR,
  "unit-left": ERROR,
  "unit-interrupted": WARNING,
  "range-broken": ERROR,
  "range-backwards": ERROR,
  "milestone-twice": ERROR,
  "milestone-not-planned": ERROR,
  "number-broken": ERROR,
  "refers-to-nothing": ERROR,
  "commit-missing": ERROR,
  "commit-not-on-branch": ERROR,
  "branch-gone": ERROR,
  "plan-missing": ERROR,
  "plan-altered": ERROR,
  "plan-differs": ERROR,
  "tasks-differ": REPAIRABLE_ERROR,
  "hint-differs": REPAIRABLE_ERROR,
  "tasks-edited": WARNING,
  "line-missing": REPAIRABLE_ERROR,
  "line-extra": REPAIRABLE_ERROR,
  "line-misplaced": REPAIRABLE_ERROR,
  "request-missing": ERROR,
  "request-differs": WARNING,
  "id-differs": ERROR,
  leftover: REPAIRABLE_WARNING,
  "current-link": REPAIRABLE_WARNING,
  "odd-entry": REPAIRABLE_ERROR,
  "directory-missing": REPAIRABLE_WARNING,
  "copy-differs": REPAIRABLE_ERROR,
  "home-removed": REPAIRABLE_ERROR,
  "log-lost": ERROR,
};

/** The severity of a problem, and whether it can be repaired. */
export function classOf(problem: HomeProblem): IssueClass {
  const { kind } = problem;
  if (kind !== "plan-missing" && kind !== "plan-altered") return CLASSES[kind];
  if (problem.way === undefined) return CLASSES[kind];
  return problem.way === "none" ? WARNING : REPAIRABLE_ERROR;
}
