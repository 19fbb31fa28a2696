import type { HomeProblem, PlanWay } from "../fs-protocol/home-issue.ts";

type Kind = HomeProblem["kind"];
type Planned = Extract<HomeProblem, { readonly way?: PlanWay | undefined }>["kind"];

/** What `--repair` does with what it can repair, as the end of "it is …" and "it was …". */
const REPAIRS: Readonly<Partial<Record<Exclude<Kind, Planned>, string>>> = {
  "torn-tail": "closed with a mark, and readers pass over it",
  "tasks-differ": "written again from the plan in force, with the ticks that are on record",
  "hint-differs": "written again from logs/builder.log",
  "line-missing": "written again from the log",
  "line-extra": "taken out, and kept in edits/ where somebody else wrote it",
  "line-misplaced": "put where the log has it",
  leftover: "removed",
  "current-link": "pointed to the newest session",
  "odd-entry": "moved aside, unchanged, and what a copy holds is put in its place",
  "directory-missing": "made again",
  "copy-differs": "put back from its copy, and what was edited is kept in edits/",
  "home-removed": "put back from its copies",
};

const PLANS: Readonly<Record<Exclude<PlanWay, "none">, string>> = {
  copy: "put back from its copy",
  tasks: "put back from TASKS.md",
  logs: "written again from the logs",
  anew: "made anew from the milestones and tasks that the logs hold",
};

/**
 * What `wisp fsck --repair` does with an issue, as a sentence; in the past where it was done. Undefined: it leaves
 * it as it is.
 */
export function repairWords(issue: HomeProblem, isRepaired: boolean): string | undefined {
  const what = repairOf(issue);
  return what === undefined ? undefined : `It ${isRepaired ? "was" : "is"} ${what}.`;
}

function repairOf(issue: HomeProblem): string | undefined {
  if (issue.kind !== "plan-missing" && issue.kind !== "plan-altered") return REPAIRS[issue.kind];
  const { way } = issue;
  return way === undefined || way === "none" ? undefined : PLANS[way];
}
