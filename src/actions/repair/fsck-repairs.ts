import { shown } from "../../base/words/shown.ts";
import type { HomeProblem, PlanWay } from "../../fs-protocol/home/home-issue.ts";
import { ODD_WORDS } from "../../workspace/home/shape-words.ts";

type Kind = HomeProblem["kind"];
type Planned = Extract<HomeProblem, { readonly way?: PlanWay | undefined }>["kind"];

/** How wisp repairs a kind of issue, in the present and in the past tense. */
interface RepairWords {
  readonly will: string;
  readonly did: string;
}

/** The repair of each kind of issue that `--repair` can repair. */
const REPAIRS: Readonly<Partial<Record<Exclude<Kind, Planned>, RepairWords>>> = {
  "torn-tail": {
    will: "ends the line with a mark, so that readers skip it",
    did: "ended the line with a mark, so that readers skip it",
  },
  "tasks-differ": {
    will: "rewrites it from the plan in force, with the recorded ticks",
    did: "rewrote it from the plan in force, with the recorded ticks",
  },
  "hint-differs": {
    will: "rewrites it from logs/builder.log",
    did: "rewrote it from logs/builder.log",
  },
  "line-missing": {
    will: "restores the line from the log",
    did: "restored the line from the log",
  },
  "line-extra": {
    will: "removes the line, and keeps a copy in edits/ if wisp did not write it",
    did: "removed the line, and kept a copy in edits/ if wisp did not write it",
  },
  "line-misplaced": {
    will: "moves the line to its place in the log's order",
    did: "moved the line to its place in the log's order",
  },
  leftover: { will: "removes it", did: "removed it" },
  "current-link": {
    will: "points it to the newest session",
    did: "pointed it to the newest session",
  },
  "odd-entry": {
    will: "moves it aside, unchanged, and restores what belongs there from a copy",
    did: "moved it aside, unchanged, and restored what belongs there from a copy",
  },
  "directory-missing": { will: "recreates it", did: "recreated it" },
  "copy-differs": {
    will: "restores it from its copy, and keeps the edited version in edits/",
    did: "restored it from its copy, and kept the edited version in edits/",
  },
  "home-removed": { will: "restores it from its copies", did: "restored it from its copies" },
};

const PLANS: Readonly<Record<Exclude<PlanWay, "none">, RepairWords>> = {
  copy: { will: "restores it from its copy", did: "restored it from its copy" },
  tasks: { will: "restores it from TASKS.md", did: "restored it from TASKS.md" },
  logs: { will: "recreates it from the logs", did: "recreated it from the logs" },
  recreate: {
    will: "recreates it from the milestones and tasks in the logs",
    did: "recreated it from the milestones and tasks in the logs",
  },
};

/**
 * What `wisp fsck --repair` does with an issue, as a sentence; in the past tense if it was done.
 * Undefined if it leaves the issue as it is.
 */
export function repairWords(issue: HomeProblem, isRepaired: boolean): string | undefined {
  const deed = repairOf(issue);
  return deed && `wisp ${isRepaired ? deed.did : deed.will}.`;
}

function repairOf(issue: HomeProblem): RepairWords | undefined {
  if (issue.kind !== "plan-missing" && issue.kind !== "plan-altered") return REPAIRS[issue.kind];
  const { way } = issue;
  return way === undefined || way === "none" ? undefined : PLANS[way];
}

/**
 * What was wrong before a repair, as a sentence in the past tense; undefined for an issue that
 * `--repair` cannot repair.
 */
export function foundWords(issue: HomeProblem): string | undefined {
  switch (issue.kind) {
    case "torn-tail":
      return "Its last line was cut off: a process was killed while it wrote the line.";
    case "tasks-differ":
      return "It was not the plan in force with the accepted ticks.";
    case "hint-differs":
      return "It was not the newest hint of logs/builder.log.";
    case "line-missing":
      return `A line of the log was missing: ${shown(issue.text)}`;
    case "line-extra":
      return `The log did not have this line: ${shown(issue.text)}`;
    case "line-misplaced":
      return `In the log, this line was further up: ${shown(issue.text)}`;
    case "leftover":
      return LEFT[issue.what];
    case "current-link":
      return "It did not point to the home of a session.";
    case "plan-missing":
      return `The staged plan plans/${shown(issue.plan)}.md was missing.`;
    case "plan-altered":
      return `The staged plan plans/${shown(issue.plan)}.md was altered: its name was not the SHA-256 of its content.`;
    default:
      return foundShape(issue);
  }
}

function foundShape(issue: HomeProblem): string | undefined {
  switch (issue.kind) {
    case "odd-entry":
      return `It was ${ODD_WORDS[issue.is]}, where wisp expects a ${issue.expected}.`;
    case "directory-missing":
      return "The directory was missing.";
    case "copy-differs":
      return COPIES[issue.found];
    case "home-removed":
      return "The home of the session was missing.";
    default:
      return undefined;
  }
}

const LEFT = {
  holder: "A process that was gone was still named as the holder of the lease.",
  lock: "A killed process had left this lock.",
  temporary: "A killed process had left this unfinished file.",
} as const;

const COPIES = {
  missing: "It was missing.",
  cut: "Its end was missing.",
  edited: "Its content was not what wisp had written.",
  grown: "It had more content than its copy.",
} as const;
