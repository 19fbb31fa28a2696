import type { Role } from "../../base/role.ts";

/** Where in a home something is wrong. */
export interface IssuePlace {
  /** Absolute path of the file. */
  readonly path: string;
  /** Where the line begins; undefined when it is about the file as a whole. */
  readonly offsetBytes?: number | undefined;
}

/** What a record may name that another log has to hold. */
export type Referred =
  "edit" | "final pass" | "fix" | "item" | "milestone" | "plan" | "record of human.log" | "word";

/** One way in which a home is not what the protocol says. */
export type HomeProblem =
  /** A complete line that is no record or line of its file, and was not sealed as torn. */
  | { readonly kind: "bad-line"; readonly problem: string }
  /** Bytes after the last newline, and nobody at work who could be writing them. */
  | { readonly kind: "torn-tail" }
  | { readonly kind: "unit-without-begin"; readonly unit: string }
  | { readonly kind: "unit-ended-twice"; readonly unit: string }
  /** Begun, neither ended nor recovered, and then another was taken. */
  | { readonly kind: "unit-left"; readonly unit: string; readonly next: string }
  /** Begun and not ended, and its role does not run: the role recovers it when it starts. */
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
  /** The file's bytes are not those that its name stands for. */
  | { readonly kind: "plan-altered"; readonly plan: string; readonly way?: PlanWay | undefined }
  /** The record holds other milestones than the file that it names. */
  | { readonly kind: "plan-differs"; readonly plan: string }
  | { readonly kind: "tasks-differ" }
  /** `.stuck-hint.md` is not the newest hint of the log. */
  | { readonly kind: "hint-differs" }
  /** Somebody edited it: the next command that starts the builder takes that over. */
  | { readonly kind: "tasks-edited" }
  /** The log says a line of a projection that is not there. */
  | { readonly kind: "line-missing"; readonly text: string }
  /** A line of a projection that the log does not say. */
  | { readonly kind: "line-extra"; readonly text: string }
  | { readonly kind: "line-misplaced"; readonly text: string }
  | { readonly kind: "request-missing" }
  | { readonly kind: "request-differs" }
  | { readonly kind: "id-differs"; readonly id: string }
  /** What a killed process left behind. */
  | { readonly kind: "leftover"; readonly what: "holder" | "lock" | "temporary" }
  | { readonly kind: "current-link" }
  /** Where a file or directory of wisp's has to be lies something else, which is never opened or followed. */
  | { readonly kind: "odd-entry"; readonly is: OddKind; readonly expected: "file" | "directory" }
  | { readonly kind: "directory-missing" }
  /** A copy outside of the home holds what the file lacks. */
  | { readonly kind: "copy-differs"; readonly found: "missing" | "cut" | "grown" | "edited" }
  /** The whole home is not there; what is outside of it tells of the session. */
  | { readonly kind: "home-removed"; readonly branch: string }
  /** A log that was written, of which neither the file nor a copy is left. */
  | { readonly kind: "log-lost"; readonly branch: string };

/** What may lie in the place of something else. */
export type OddKind = "file" | "directory" | "link" | "pipe" | "socket" | "device";

/**
 * How a staged plan can be had again: from its copy, from TASKS.md, from what the logs say, or as a plan of its own
 * with the milestones and tasks that the logs hold. `none`: not at all, and nobody needs it any more.
 */
export type PlanWay = "copy" | "tasks" | "logs" | "anew" | "none";

/** A problem and its place. */
export type HomeIssue = IssuePlace & HomeProblem;

/** How much it matters, and whether `--repair` can mend it for certain. */
export interface IssueClass {
  /** `warning`: nothing is lost or misread, and wisp goes on over it by itself. */
  readonly severity: "error" | "warning";
  readonly canRepair: boolean;
}

const ERROR: IssueClass = { severity: "error", canRepair: false };
const MENDED_ERROR: IssueClass = { severity: "error", canRepair: true };
const WARNING: IssueClass = { severity: "warning", canRepair: false };
const MENDED_WARNING: IssueClass = { severity: "warning", canRepair: true };

const CLASSES: Readonly<Record<HomeProblem["kind"], IssueClass>> = {
  "bad-line": ERROR,
  "torn-tail": MENDED_WARNING,
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
  "tasks-differ": MENDED_ERROR,
  "hint-differs": MENDED_ERROR,
  "tasks-edited": WARNING,
  "line-missing": MENDED_ERROR,
  "line-extra": MENDED_ERROR,
  "line-misplaced": MENDED_ERROR,
  "request-missing": ERROR,
  "request-differs": WARNING,
  "id-differs": ERROR,
  leftover: MENDED_WARNING,
  "current-link": MENDED_WARNING,
  "odd-entry": MENDED_ERROR,
  "directory-missing": MENDED_WARNING,
  "copy-differs": MENDED_ERROR,
  "home-removed": MENDED_ERROR,
  "log-lost": ERROR,
};

/** What kind of issue it is. */
export function classOf(problem: HomeProblem): IssueClass {
  const { kind } = problem;
  if (kind !== "plan-missing" && kind !== "plan-altered") return CLASSES[kind];
  if (problem.way === undefined) return CLASSES[kind];
  return problem.way === "none" ? WARNING : MENDED_ERROR;
}
