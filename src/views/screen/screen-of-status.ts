import { count, sentence } from "../../base/words/sentence.ts";
import { budgetsLine, spentWords } from "../cost/cost-rows.ts";
import type { PerRole } from "../../base/role.ts";
import { formatElapsed } from "../../base/words/format-duration.ts";
import type { RoleActivity } from "../../workspace/session/role-activity.ts";
import { barSpans } from "../rows/bar-spans.ts";
import { row, cleanSpan, span, type Row } from "../rows/row.ts";
import { keptEditNotice } from "../status/kept-edits.ts";
import {
  planProgress,
  type MilestoneStatus,
  type OpenMilestone,
} from "../status/milestone-status.ts";
import { stageWords } from "../status/stage-words.ts";
import { stateSentences } from "../status/state-sentences.ts";
import {
  itemRow,
  planWords,
  reviewedWords,
  roleWords,
  seenWords,
  shortName,
  stallWords,
} from "../status/status-rows.ts";
import type { StatusView } from "../status/status-view.ts";
import type { ListedEvents } from "../timeline/event-list.ts";
import type { RoleSign } from "../timeline/role-signs.ts";
import type { RoleFacts, ScreenFacts, ScreenSection } from "./screen-facts.ts";

/** What the screen shows in addition to the status. */
export interface Beside extends Pick<ScreenFacts, "tail" | "page" | "said" | "isReadOnly"> {
  readonly events: ListedEvents;
  /** The signs of life of the engines, by role. */
  readonly signs: Partial<PerRole<RoleSign | undefined>>;
  readonly nowMs: number;
  readonly openMilestone?: OpenMilestone | undefined;
}

/** A status as the screen shows it, with untrusted text cleaned. */
export function screenFacts(view: StatusView, beside: Beside): ScreenFacts {
  const { session, milestones, questions, roles } = view;
  const { tail, page, said, isReadOnly } = beside;
  return {
    ...{ session, tail, page, said, isReadOnly },
    title: titleRows(view, isReadOnly),
    tasks: planProgress(milestones).tasks,
    roles: roles.map((role) => roleFacts(role, beside)),
    notices: [countsRow(view), ...noticeRows(view)],
    sections: sectionsOf(view, beside.events).filter(({ rows }) => rows.length > 0),
    openTasks: beside.openMilestone && tasksSection(beside.openMilestone),
    questions: questions.map(({ id, role, ask }) => ({ id, role, ask: clean(ask) })),
    isPlanWaiting: view.waitingPlan !== undefined,
    atWork: roles.filter(isAtWork).map(({ role }) => role),
  };
}

function sectionsOf(
  { milestones, openItems }: StatusView,
  events: ListedEvents,
): readonly ScreenSection[] {
  const current = currentAt(milestones);
  const plan = milestones.map((one, index) => milestoneRow(one, index === current));
  return [
    { name: "milestones", title: "Milestones", first: 0, rows: plan, from: current },
    { name: "open", title: "Open", first: 0, rows: openItems.map(itemRow), from: 0 },
    { name: "events", title: "Events", ...events, from: events.rows.length },
  ];
}

function tasksSection({ name, tasks }: OpenMilestone): ScreenSection {
  const rows = tasks.map(({ text, isDone }) =>
    isDone
      ? row(span("good", "✓"), " ", cleanSpan("faint", text))
      : row("· ", cleanSpan("plain", text)),
  );
  const next = tasks.findIndex(({ isDone }) => !isDone);
  const from = next === -1 ? rows.length : next;
  return { name: "tasks", title: `Tasks of "${clean(shortName(name))}"`, first: 0, rows, from };
}

function isAtWork({ state, isRunning }: RoleActivity): boolean {
  return isRunning && state === "works";
}

/** An engine that has printed nothing for this long shows no sign of life; longer than two looks are apart. */
const QUIET_MS = 6_000;

function roleFacts(activity: RoleActivity, { signs, nowMs }: Beside): RoleFacts {
  const { role } = activity;
  const sign = isAtWork(activity) ? signs[role] : undefined;
  const isGrowing = sign?.grewMs !== undefined && nowMs - sign.grewMs < QUIET_MS;
  return {
    role,
    says: roleWords(activity),
    isAtWork: isAtWork(activity),
    elapsed: sign && formatElapsed(nowMs - sign.beganMs),
    beat: isGrowing ? sign.pieces : undefined,
    lastLine: sign?.lastLine === undefined ? undefined : clean(sign.lastLine),
  };
}

function titleRows(view: StatusView, isReadOnly = false): readonly Row[] {
  const { session, milestones, spent, budget, branch } = view;
  const progress = milestones.length === 0 ? "no plan yet" : planWords(milestones);
  const used = spent.turns === 0 ? "" : `, used ${spentWords(spent)}`;
  const of = budget === undefined ? "" : `, budget ${budgetsLine(budget)}`;
  const name = row(span("strong", session), span("ask", isReadOnly ? " (read-only)" : ""));
  return [
    row(...name, "  ", span("strong", stageWords(view)), "  ", span("faint", progress)),
    row(span("faint", `branch ${clean(branch)}${used}${of}`)),
  ];
}

function countsRow(view: StatusView): Row {
  const open = (kind: "finding" | "bug") =>
    count(view.openItems.filter((item) => item.kind === kind).length, kind);
  return row(`${reviewedWords(view)}, open: ${open("finding")}, ${open("bug")}`);
}

function noticeRows(view: StatusView): readonly Row[] {
  const edited = keptEditNotice(view.edits);
  const sentences = [...stateSentences(view), ...(edited === undefined ? [] : [edited])];
  return [
    ...sentences.map(({ tone, text }) => row(span(tone, text))),
    ...[...view.degraded, ...view.meanwhile].map((text) => row(cleanSpan("ask", text))),
  ];
}

const BAR_CELLS = 10;

function milestoneRow(milestone: MilestoneStatus, isCurrent: boolean): Row {
  const { name, tasks, tasksDone, isFinished } = milestone;
  const mark = isFinished
    ? span("good", "✓")
    : isCurrent
      ? span("strong", "▸")
      : span("faint", "·");
  const behind = (words: readonly string[]) => (words.length === 0 ? "" : `  ${words.join(", ")}`);
  return row(
    ...[mark, " ", ...barSpans({ done: tasksDone, of: tasks }, BAR_CELLS)],
    ` ${String(tasksDone)}/${String(tasks)} `,
    span(isCurrent ? "strong" : "plain", shortName(name)),
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
