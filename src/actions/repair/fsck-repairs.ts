import { shown } from "../../base/words/shown.ts";
import type { HomeProblem, PlanWay } from "../../fs-protocol/home/home-issue.ts";
import { ODD_WORDS } from "../../workspace/home/shape-words.ts";

type Kind = HomeProblem["kind"];
type Planned = Extract<HomeProblem, { readonly way?: PlanWay | undefined }>["kind"];

/** What `wisp` does to an issue: as it will be done, and as it was done. */
interface Deed {
  readonly will: string;
  readonly did: string;
}

/** What `--repair` does with what it can repair. */
const REPAIRS: Readonly<Partial<Record<Exclude<Kind, Planned>, Deed>>> = {
  "torn-tail": {
    will: "closes the line with a mark, and readers pass over it",
    did: "closed the line with a mark, and readers pass over it",
  },
  "tasks-differ": {
    will: "writes it again from the plan in force, with the ticks that are on record",
    did: "wrote it again from the plan in force, with the ticks that are on record",
  },
  "hint-differs": {
    will: "writes it again from logs/builder.log",
    did: "wrote it again from logs/builder.log",
  },
  "line-missing": {
    will: "writes the line again from the log",
    did: "wrote the line again from the log",
  },
  "line-extra": {
    will: "takes the line out, and keeps in edits/ what it did not write itself",
    did: "took the line out, and kept in edits/ what it did not write itself",
  },
  "line-misplaced": {
    will: "puts the line where the log has it",
    did: "put the line where the log has it",
  },
  leftover: { will: "removes it", did: "removed it" },
  "current-link": {
    will: "points it to the newest session",
    did: "pointed it to the newest session",
  },
  "odd-entry": {
    will: "moves it aside, unchanged, and puts what a copy holds in its place",
    did: "moved it aside, unchanged, and put what a copy holds in its place",
  },
  "directory-missing": { will: "makes it again", did: "made it again" },
  "copy-differs": {
    will: "puts it back from its copy, and keeps in edits/ what was edited",
    did: "put it back from its copy, and kept in edits/ what was edited",
  },
  "home-removed": { will: "puts it back from its copies", did: "put it back from its copies" },
};

const PLANS: Readonly<Record<Exclude<PlanWay, "none">, Deed>> = {
  copy: { will: "puts it back from its copy", did: "put it back from its copy" },
  tasks: { will: "puts it back from TASKS.md", did: "put it back from TASKS.md" },
  logs: { will: "writes it again from the logs", did: "wrote it again from the logs" },
  anew: {
    will: "makes it from the milestones and tasks that the logs hold",
    did: "made it from the milestones and tasks that the logs hold",
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

function repairOf(issue: HomeProblem): Deed | undefined {
  if (issue.kind !== "plan-missing" && issue.kind !== "plan-altered") return REPAIRS[issue.kind];
  const { way } = issue;
  return way === undefined || way === "none" ? undefined : PLANS[way];
}

/**
 * What was wrong before a repair, as a sentence in the past tense; undefined for what no repair
 * changes.
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
      return `A line that the log has was missing: ${shown(issue.text)}`;
    case "line-extra":
      return `The log did not have this line: ${shown(issue.text)}`;
    case "line-misplaced":
      return `The log had this line earlier: ${shown(issue.text)}`;
    case "leftover":
      return LEFT[issue.what];
    case "current-link":
      return "It did not lead to the home of a session.";
    case "plan-missing":
      return `The staged plan plans/${shown(issue.plan)}.md was missing.`;
    case "plan-altered":
      return `The staged plan plans/${shown(issue.plan)}.md was altered: its name was not the SHA-256 of what it held.`;
    default:
      return foundShape(issue);
  }
}

function foundShape(issue: HomeProblem): string | undefined {
  switch (issue.kind) {
    case "odd-entry":
      return `It was ${ODD_WORDS[issue.is]}, where wisp has a ${issue.expected}.`;
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
  temporary: "A killed process had left this half-made file.",
} as const;

const COPIES = {
  missing: "It was missing.",
  cut: "Its end was missing.",
  edited: "It was not what wisp had written to it.",
  grown: "It held more than its copy.",
} as const;
