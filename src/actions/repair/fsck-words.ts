import { shown } from "../../base/words/shown.ts";
import type { HomeProblem } from "../../fs-protocol/home/home-issue.ts";
import { shapeWords } from "../../workspace/home/shape-words.ts";

/** What is wrong, as a sentence; the caller shows the place. */
export function issueWords(issue: HomeProblem): string {
  switch (issue.kind) {
    case "bad-line":
      return `This line does not belong in this file: ${shown(issue.problem)}. Readers skip it.`;
    case "torn-tail":
      return "Its last line is cut off: a process was killed while it wrote the line.";
    case "unit-without-begin":
    case "unit-ended-twice":
    case "unit-left":
    case "unit-interrupted":
      return unitWords(issue);
    case "range-broken":
    case "range-backwards":
    case "milestone-twice":
    case "milestone-not-planned":
      return rangeWords(issue);
    case "number-broken":
      return `The ${issue.what} has the number ${String(issue.found)}, but should have ${String(issue.expected)}.`;
    case "refers-to-nothing":
      return referenceWords(issue);
    case "commit-missing":
    case "commit-not-on-branch":
    case "branch-gone":
      return commitWords(issue);
    case "plan-missing":
    case "plan-altered":
    case "plan-differs":
    case "tasks-differ":
    case "tasks-edited":
      return planWords(issue);
    case "line-missing":
      return `A line of the log is missing: ${shown(issue.text)}`;
    case "line-extra":
      return `The log does not have this line: ${shown(issue.text)}`;
    case "line-misplaced":
      return `In the log, this line is further up: ${shown(issue.text)}`;
    case "request-missing":
    case "request-differs":
    case "hint-differs":
    case "id-differs":
      return fileWords(issue);
    case "leftover":
      return LEFTOVERS[issue.what];
    case "current-link":
      return "It does not point to the home of a session.";
    default:
      return shapeWords(issue);
  }
}

const LEFTOVERS = {
  holder: "A process that is gone is still named here as the holder of the lease. wisp ignores it.",
  lock: "A killed process left this lock.",
  temporary: "A killed process left this unfinished file.",
} as const;

type Of<K extends HomeProblem["kind"]> = Extract<HomeProblem, { readonly kind: K }>;

function unitWords(
  issue: Of<"unit-without-begin" | "unit-ended-twice" | "unit-left" | "unit-interrupted">,
): string {
  const unit = shown(issue.unit);
  switch (issue.kind) {
    case "unit-without-begin":
      return `The unit ${unit} ends, but never began.`;
    case "unit-ended-twice":
      return `The unit ${unit} ends a second time.`;
    case "unit-left":
      return `The unit ${unit} began and never ended: ${shown(issue.next)} came after it.`;
    case "unit-interrupted":
      return `The unit ${unit} was interrupted; the ${issue.role} continues it when it is started.`;
  }
}

function rangeWords(
  issue: Of<"range-broken" | "range-backwards" | "milestone-twice" | "milestone-not-planned">,
): string {
  const milestone = `The milestone "${shown(issue.milestone)}"`;
  switch (issue.kind) {
    case "range-broken":
      return `${milestone} starts at ${issue.start}; the one before ends at ${issue.expected}.`;
    case "range-backwards":
      return `${milestone} ends before it starts.`;
    case "milestone-twice":
      return `${milestone} is recorded a second time.`;
    case "milestone-not-planned":
      return `${milestone} is not in the plan in force.`;
  }
}

function planWords(
  issue: Of<"plan-missing" | "plan-altered" | "plan-differs" | "tasks-differ" | "tasks-edited">,
): string {
  switch (issue.kind) {
    case "plan-missing":
      return `The staged plan ${planFile(issue)} is missing.${wayWords(issue)}`;
    case "plan-altered":
      return `The staged plan ${planFile(issue)} was altered: its name is not the SHA-256 of its content.${wayWords(issue)}`;
    case "plan-differs":
      return `The milestones in the record differ from those in ${planFile(issue)}.`;
    case "tasks-differ":
      return "It is not the plan in force with the accepted ticks.";
    case "tasks-edited":
      return "It was edited. The next command that starts the builder adopts the edit, if it is a plan.";
  }
}

function wayWords({ way }: Of<"plan-missing" | "plan-altered">): string {
  switch (way) {
    case undefined:
      return "";
    case "copy":
      return " A copy exists.";
    case "tasks":
      return " TASKS.md still holds it.";
    case "logs":
      return " The logs still hold it.";
    case "recreate":
      return " No copy is left; the logs hold its milestones and tasks.";
    case "none":
      return " No copy is left, and wisp no longer needs it.";
  }
}

function commitWords(issue: Of<"commit-missing" | "commit-not-on-branch" | "branch-gone">): string {
  switch (issue.kind) {
    case "commit-missing":
      return `The repository does not have the commit ${shown(issue.sha)}.`;
    case "commit-not-on-branch":
      return `The commit ${issue.sha} is not on the branch ${shown(issue.branch)}: the branch was rewritten.`;
    case "branch-gone":
      return `The repository has no branch ${shown(issue.branch)}.`;
  }
}

function fileWords(
  issue: Of<"request-missing" | "request-differs" | "hint-differs" | "id-differs">,
): string {
  switch (issue.kind) {
    case "request-missing":
      return "It is missing.";
    case "request-differs":
      return "It is not the request that the last update in logs/human.log names.";
    case "hint-differs":
      return "It is not the newest hint of logs/builder.log.";
    case "id-differs":
      return `It names the session ${shown(issue.id)}, but its folder has another name.`;
  }
}

function planFile({ plan }: { readonly plan: string }): string {
  return `plans/${shown(plan)}.md`;
}

function referenceWords({ to, name }: Of<"refers-to-nothing">): string {
  const it = shown(name);
  switch (to) {
    case "edit":
      return `There is no edit ${it} in logs/human.log.`;
    case "final pass":
      return `No final pass ${it} was requested.`;
    case "fix":
      return `There is no fix ${it} in logs/builder.log.`;
    case "item":
      return `There is no finding or bug ${it} in logs/reviewer.log and logs/tester.log.`;
    case "milestone":
      return `The milestone "${it}" is not recorded in logs/builder.log.`;
    case "plan":
      return `There is no answer ${it} with a plan in logs/planner.log.`;
    case "record of human.log":
      return `It says that ${it} records of logs/human.log were read, but there are fewer.`;
    case "word":
      return `Record ${it} of logs/human.log is neither an add nor a dismiss.`;
  }
}
