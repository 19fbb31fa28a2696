import { classOf, type HomeIssue } from "../../fs-protocol/home/home-issue.ts";
import { issueWords } from "./fsck-words.ts";
import { foundWords, repairWords } from "./fsck-repairs.ts";
import { nextStep, REPAIRED, type StepFacts } from "./fsck-steps.ts";
import type { FoundIssue } from "../../workspace/home/inspect-home.ts";
import { shownPath } from "../../workspace/shown-path.ts";
import { count, sentence } from "../../base/words/sentence.ts";
import { cleanSpan, row, span, type Row } from "../../views/rows/row.ts";
import { shellWord } from "../../base/words/shell-word.ts";

/** One issue, as it is printed. */
export interface IssueView {
  readonly kind: HomeIssue["kind"];
  readonly severity: "error" | "warning";
  /** Relative to the home; `.wisp/…` for what is next to it. */
  readonly path: string;
  /** From 1; absent if the issue concerns the file as a whole. */
  readonly line: number | undefined;
  readonly message: string;
  readonly canRepair: boolean;
  readonly isRepaired: boolean;
  /** What `--repair` does with it, or did, as a sentence; absent if it leaves it as it is. */
  readonly repair: string | undefined;
  /** What a person should do next, as a sentence that contains the commands. */
  readonly step: string;
  /** These commands, in order; empty if nothing is left to do. */
  readonly next: readonly string[];
}

/** The output of `wisp fsck --json`; fields are added, never renamed or removed. */
export interface FsckView {
  readonly schema: "wisp.fsck/1";
  readonly session: string;
  readonly home: string;
  /** Where the session moved: the home here was left, and is not repaired. */
  readonly movedTo?: string | undefined;
  /** Running roles: files that only they write were not checked completely. */
  readonly live: readonly string[];
  readonly errors: number;
  readonly warnings: number;
  readonly repaired: number;
  readonly issues: readonly IssueView[];
}

/** Many issues may share one cause: only the first are listed, the rest is counted. */
const ROWS_MAX = 50;

/** Issues in words. `repaired`: they no longer exist. */
export function issueViews(
  issues: readonly FoundIssue[],
  facts: StepFacts,
  { isRepaired }: { readonly isRepaired: boolean },
): readonly IssueView[] {
  return issues.map((issue) => {
    const step = isRepaired ? REPAIRED : nextStep(issue, facts);
    return {
      kind: issue.kind,
      ...classOf(issue),
      path: shownPath(facts.found.home, issue.path),
      line: issue.line,
      message: sentence("plain", (isRepaired && foundWords(issue)) || issueWords(issue)).text,
      isRepaired,
      repair: repairWords(issue, isRepaired),
      step: step.text,
      next: step.next,
    };
  });
}

/** A view for people: a row for each issue, and what to do. */
export function fsckRows(view: FsckView): readonly Row[] {
  const { session, issues, live, errors, warnings, repaired } = view;
  const rows = issues.slice(0, ROWS_MAX).map(issueRow);
  const rest = issues.length - rows.length;
  const open = issues.filter(({ isRepaired }) => !isRepaired);
  const canRepair = open.filter((issue) => issue.canRepair).length;
  const counts = [
    ...(errors === 0 ? [] : [count(errors, "error")]),
    ...(warnings === 0 ? [] : [count(warnings, "warning")]),
  ];
  const summary = counts.length === 0 ? "in order" : counts.join(" and ");
  const done = repaired === 0 ? "" : `, ${String(repaired)} repaired`;
  const command = `wisp fsck ${shellWord(session)} --repair`;
  return [
    ...rows,
    ...(rest > 0 ? [row(span("faint", `and ${String(rest)} more: see --json`))] : []),
    row(span(errors > 0 ? "bad" : "good", `${session}: ${summary}${done}`)),
    ...(live.length === 0
      ? []
      : [
          row(
            `At work: ${live.join(", ")}. Files that they are still writing were not fully checked.`,
          ),
        ]),
    ...(view.movedTo === undefined
      ? []
      : [row(cleanSpan("ask", `moved to ${view.movedTo}; what is here is as it was then`))]),
    ...(canRepair === 0 || view.movedTo !== undefined
      ? []
      : [row(span("faint", "next:"), ` ${command}   (repairs ${String(canRepair)})`)]),
  ];
}

function issueRow(issue: IssueView): Row {
  const { path, line, severity, message, isRepaired, repair, step } = issue;
  const place = line === undefined ? path : `${path}:${String(line)}`;
  const [tone, word] = isRepaired
    ? (["good", "repaired"] as const)
    : severity === "error"
      ? (["bad", "error"] as const)
      : (["ask", "warning"] as const);
  const then = isRepaired ? (repair ?? "") : step;
  return row(cleanSpan("plain", place), ": ", span(tone, word), `: ${message} ${then}`);
}
