import { count, sentence } from "../../base/words/sentence.ts";
import { spentWords } from "../cost/cost-rows.ts";
import { row, cleanSpan, span, type Row } from "../rows/row.ts";
import { keptEditNotice } from "../status/kept-edits.ts";
import type { MilestoneStatus } from "../status/milestone-status.ts";
import { stageWords } from "../status/stage-words.ts";
import { stateSentences } from "../status/state-sentences.ts";
import {
  itemRow,
  planWords,
  reviewedWords,
  roleRow,
  seenWords,
  shortName,
  stallWords,
} from "../status/status-rows.ts";
import type { StatusView } from "../status/status-view.ts";
import type { ScreenFacts, ScreenSection } from "./screen-facts.ts";

/** What the screen shows in addition to the status. */
export interface Beside extends Pick<ScreenFacts, "tail" | "said"> {
  /** What happened, oldest first. */
  readonly events: readonly Row[];
}

/** A status as the screen shows it, with untrusted text cleaned. */
export function screenFacts(view: StatusView, { events, ...beside }: Beside): ScreenFacts {
  const { session, milestones, openItems, questions, roles } = view;
  const sections: readonly ScreenSection[] = [
    { title: "Milestones", rows: milestones.map(milestoneRow), from: currentAt(milestones) },
    { title: "Open", rows: openItems.map((item) => row("  ", ...itemRow(item))), from: 0 },
    { title: "Events", rows: events.map((one) => row("  ", ...one)), from: events.length },
  ];
  const atWork = roles.filter(({ state, isRunning }) => isRunning && state === "works");
  return {
    ...beside,
    session,
    head: [...headRows(view), ...roles.map(roleRow), countsRow(view), ...noticeRows(view)],
    sections: sections.filter(({ rows }) => rows.length > 0),
    questions: questions.map(({ id, role, ask }) => ({ id, role, ask: clean(ask) })),
    atWork: atWork.map(({ role }) => role),
  };
}

function headRows(view: StatusView): readonly Row[] {
  const { session, milestones, spent, branch } = view;
  const progress = milestones.length === 0 ? "no plan yet" : planWords(milestones);
  const used = spent.turns === 0 ? "" : `, used ${spentWords(spent)}`;
  const name = span("strong", session);
  return [
    row(name, "  ", span("strong", stageWords(view)), "  ", span("faint", progress)),
    row(span("faint", `branch ${clean(branch)}${used}`)),
  ];
}

function countsRow(view: StatusView): Row {
  const open = (kind: "finding" | "bug") =>
    count(view.openItems.filter((item) => item.kind === kind).length, kind);
  return row(`${reviewedWords(view)}, open: ${open("finding")}, ${open("bug")}`);
}

function noticeRows(view: StatusView): readonly Row[] {
  const edited = keptEditNotice(view.edits);
  return [
    ...[...stateSentences(view), ...(edited === undefined ? [] : [edited])].map(({ tone, text }) =>
      row(span(tone, text)),
    ),
    ...[...view.degraded, ...view.meanwhile].map((text) => row(cleanSpan("ask", text))),
  ];
}

const BAR_CELLS = 10;

function milestoneRow(milestone: MilestoneStatus): Row {
  const { name, tasks, tasksDone, isFinished } = milestone;
  const share = tasks === 0 ? 0 : Math.floor((tasksDone / tasks) * BAR_CELLS);
  const bar = "#".repeat(share) + ".".repeat(BAR_CELLS - share);
  const behind = (words: readonly string[]) => (words.length === 0 ? "" : `  ${words.join(", ")}`);
  return row(
    "  ",
    span(isFinished ? "good" : "faint", `[${bar}]`),
    ` ${String(tasksDone)}/${String(tasks)} ${shortName(name)}`,
    span("faint", behind(seenWords(milestone))),
    span("ask", behind(stallWords(milestone))),
  );
}

/** Index of the milestone that is being worked on. */
function currentAt(milestones: readonly MilestoneStatus[]): number {
  const at = milestones.findIndex(({ isFinished, isSetAside }) => !isFinished && !isSetAside);
  return at === -1 ? milestones.length : at;
}

function clean(text: string): string {
  return sentence("plain", text).text;
}
