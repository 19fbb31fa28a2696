import { PLAN_DIGEST_SHOWN_CHARS } from "../../base/limits.ts";
import { formatDuration } from "../../base/words/format-duration.ts";
import { count } from "../../base/words/sentence.ts";
import { shellWord } from "../../base/words/shell-word.ts";
import type { CostRange } from "../../session/rules/estimate-cost.ts";
import { approveCommand } from "../next/approve-command.ts";
import { cleanSpan, inBlocks, row, span, type Row } from "../rows/row.ts";
import { table } from "../rows/table.ts";
import type { PlanView, ShownMilestone } from "./plan-view.ts";

/** A plan with what one should know before saying yes to it, and the commands that decide about it. */
export function shownPlanRows(view: PlanView): readonly Row[] {
  const decisions = view.status === "waiting" ? decisionRows(view, view.sha256 ?? "") : [];
  return inBlocks([judgedPlanRows(view), decisions]);
}

/** A plan with what one should know before saying yes to it. */
export function judgedPlanRows(view: PlanView): readonly Row[] {
  if (view.status === "none") return [row(`${view.session} has no plan yet.`)];
  const sum = view.milestones.reduce((total, { tasks }) => total + tasks.length, 0);
  const size = `${count(view.milestones.length, "milestone")}, ${count(sum, "task")}`;
  const says = view.status === "waiting" ? span("ask", "waiting for your approval") : "in force";
  const digest = (view.sha256 ?? "").slice(0, PLAN_DIGEST_SHOWN_CHARS);
  return inBlocks([
    [
      row(span("strong", `The plan of ${view.session}`), `: ${size}, `, says),
      row(span("faint", `digest ${digest}`)),
    ],
    ...view.milestones.map(milestoneRows),
    view.dropped.map((name) => row(span("ask", "dropped: "), cleanSpan("ask", name))),
    remarkRows(view),
    view.status === "waiting" || view.tasksLeft > 0 ? estimateRows(view) : [],
  ]);
}

const STATES = { done: " (done)", open: "", new: " (new)" } as const;

function milestoneRows({ name, state, tasks }: ShownMilestone): readonly Row[] {
  return [
    row(cleanSpan("plain", name), span("faint", STATES[state])),
    ...tasks.flatMap(({ text, steps, ticked }) => [
      row(`  [${ticked ? "x" : " "}] `, cleanSpan("plain", text)),
      ...steps.map((step) => row("      - ", cleanSpan("plain", step))),
    ]),
  ];
}

function remarkRows({ remarks }: PlanView): readonly Row[] {
  if (remarks.length === 0) return [];
  return [
    row(span("strong", "To look at")),
    ...remarks.map(({ milestone, task, says }) => {
      const where = task === undefined ? "" : `, task ${String(task)}`;
      return row("  ", cleanSpan("ask", `${milestone}${where}: ${says}`));
    }),
  ];
}

function estimateRows({ tasksLeft, estimate: { costUsd, durationMs } }: PlanView): readonly Row[] {
  const cells = [
    ["  cost", rangeWords(costUsd, (usd) => `${usd.toFixed(2)} USD`)],
    ["  time of turns", rangeWords(durationMs, formatDuration)],
  ];
  return [row(span("strong", `Estimate for ${count(tasksLeft, "task")}`)), ...table(cells)];
}

/** An estimate without a source would be an invention. */
function rangeWords(range: CostRange | undefined, words: (value: number) => string): string {
  if (range === undefined) return "unknown: no earlier session of this repository tells";
  const source = `from ${count(range.n, "earlier session")} of this repository`;
  const [low, high] = [words(range.low), words(range.high)];
  return low === high ? `${low}, ${source}` : `${low} to ${high}, ${source}`;
}

function decisionRows({ session }: PlanView, sha256: string): readonly Row[] {
  const command = `wisp plan ${shellWord(session)}`;
  const cells = [
    ["To approve it:", approveCommand(session, sha256)],
    ["To change it yourself:", `${command} --edit`],
    ["To have it changed:", `${command} --reject "<what to change>"`],
  ];
  return table(cells);
}
