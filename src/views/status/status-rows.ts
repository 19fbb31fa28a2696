import { UNUSUAL_TITLE, unusualLines } from "../../evidence/unusual/unusual-lines.ts";
import { count, sentence, type Tone } from "../../base/words/sentence.ts";
import { quoted, whereItIs } from "../../workspace/session/describe-unit.ts";
import type { RoleActivity } from "../../workspace/session/role-activity.ts";
import { budgetsLine, spentWords } from "../cost/cost-rows.ts";
import { progressWords, revisedWords } from "../next/revisions-view.ts";
import { cutText, padCells } from "../rows/cells.ts";
import { inBlocks, row, cleanSpan, span, titledRows, type Row, type Span } from "../rows/row.ts";
import { differsLines } from "./differs-elsewhere.ts";
import { BASE_TESTS_TITLE, baseTestsLines } from "./base-tests-words.ts";
import { keptEditLines } from "./kept-edits.ts";
import { planProgress, type MilestoneStatus } from "./milestone-status.ts";
import { placeWords, type OpenItem } from "./open-items.ts";
import { questionWords } from "./question-words.ts";
import { SENSITIVE_TITLE, sensitiveLines } from "./sensitive-words.ts";
import { setAsideWords } from "./set-aside.ts";
import { stageWords } from "./stage-words.ts";
import { stateSentences } from "./state-sentences.ts";
import type { StatusView } from "./status-view.ts";

/** The most rows of a kind that are shown; the rest is only counted. */
const ROWS_MAX = 12;

function usedRows({ spent, budget }: StatusView): readonly Row[] {
  return [
    ...(spent.turns === 0 ? [] : [row(`Used ${spentWords(spent)}`)]),
    ...(budget === undefined ? [] : [row(`Budget: ${budgetsLine(budget)}`)]),
  ];
}

/** A status for people, at most one screen long. */
export function statusRows(view: StatusView): readonly Row[] {
  const lines = (texts: readonly string[]) => texts.map((text) => row(text));
  return inBlocks([
    headRows(view),
    view.roles.flatMap((role) => [roleRow(role), ...refusedRows(role)]),
    titled("Milestones", view.milestones.map(milestoneRow)),
    titled("Revisions", revisionRows(view)),
    [row(reviewedWords(view))],
    usedRows(view),
    titled("Open", view.openItems.map(itemRow)),
    titled("Owed", lines(view.owed.map(({ role, what }) => `${role}: ${what.join(", ")}`))),
    titled(SENSITIVE_TITLE, lines(sensitiveLines(view.sensitive))),
    // Each kind is bounded, so that no number of things of one kind hides those of another.
    titledRows(UNUSUAL_TITLE, lines(unusualLines(view.unusual)), Infinity),
    lines(differsLines(view.differs)),
    titled(BASE_TESTS_TITLE, lines(baseTestsLines(view.baseTests))),
    titled("Edited by someone else", lines(keptEditLines(view.edits))),
    titled(
      "Set aside",
      view.setAside.map((one) => row(cleanSpan("ask", setAsideWords(one)))),
    ),
    questionRows(view),
    noticeRows(view),
    nextRows(view.next),
  ]);
}

function titled(title: string, rows: readonly Row[]): readonly Row[] {
  return titledRows(title, rows, ROWS_MAX);
}

/** The next commands, one per row. */
export function nextRows(next: readonly string[]): readonly Row[] {
  return next.map((command) => row(span("faint", "next:"), ` ${command}`));
}

function headRows(view: StatusView): readonly Row[] {
  const { session, branch, head, home, parent } = view;
  const progress = `${planWords(view.milestones)} ${revisedWords(view.revised)}`.trimEnd();
  const where = `branch ${sentence("plain", branch).text} ${whereItIs(head)}, files in ${home}`;
  return [
    row(span("strong", session), `  ${stageWords(view)}  `, span("faint", progress)),
    row(span("faint", `${where}${clonesWords(view)}`)),
    ...(parent === undefined
      ? []
      : [row(span("faint", `revision ${String(parent.revision)} of ${parent.session}`))]),
    ...stateSentences(view).map(({ tone, text }) => row(span(tone, text))),
  ];
}

/** `1/2 milestones, 4/7 tasks`. */
export function planWords(plan: readonly MilestoneStatus[]): string {
  const { milestones, tasks } = planProgress(plan);
  return (
    `${String(milestones.done)}/${String(milestones.of)} milestones, ` +
    `${String(tasks.done)}/${String(tasks.of)} tasks`
  );
}

/** `Reviewed 3 / 5 commits`. */
export function reviewedWords({ reviewed }: Pick<StatusView, "reviewed">): string {
  return `Reviewed ${String(reviewed.commits)} / ${String(reviewed.of)} commits`;
}

function clonesWords({ clones }: StatusView): string {
  return clones === "hibernated" ? ", hibernated: its clones are recreated when needed" : "";
}

function revisionRows({ revisions, damagedRevisions = [] }: StatusView): readonly Row[] {
  return [
    ...revisions.map((one) => row(`${one.session} ${progressWords(one)}`)),
    ...damagedRevisions.map(({ session, problem, repair }) =>
      row(cleanSpan("bad", `${session} is damaged (${problem}): ${repair}`)),
    ),
  ];
}

const ROLE_TONES: Readonly<Record<RoleActivity["state"], Tone>> = {
  works: "plain",
  interrupted: "ask",
  waits: "faint",
  due: "plain",
  ended: "faint",
  failed: "bad",
};

const ROLE_CELLS = 10;

/** A role and what it is doing, as a sentence. */
function roleRow(activity: RoleActivity): Row {
  const { role } = activity;
  return row("  ", span(role, padCells(role, ROLE_CELLS)), roleWords(activity));
}

/** What a role is doing: the rest of a sentence whose subject is the role. */
export function roleWords({ state, isRunning, isUnsupervised, says }: RoleActivity): Span {
  const notes = [
    ...(isRunning || state === "ended" || state === "failed" ? [] : ["not running"]),
    ...(isUnsupervised ? ["unsupervised"] : []),
  ];
  const note = notes.length === 0 ? "" : ` (${notes.join(", ")})`;
  return cleanSpan(ROLE_TONES[state], `${says}${note}`);
}

/** Refused calls, shown below their role; without colour if the turn found another way, as most do. */
function refusedRows({ refused, state }: RoleActivity): readonly Row[] {
  if (refused === undefined) return [];
  const isOvercome = refused.outcome !== "failed";
  if (isOvercome && state === "ended") return [];
  const when = refused.outcome === "going on" ? "is refused" : "was refused";
  const what = refused.refused === "" ? "" : `: ${refused.refused}`;
  const text = `${refused.engine} ${when} ${count(refused.denied, "call")}${what}`;
  return [row("    ", cleanSpan(isOvercome ? "faint" : "ask", text))];
}

function milestoneRow(milestone: MilestoneStatus): Row {
  const { name, tasks, tasksDone, isFinished } = milestone;
  const mark = isFinished ? "x" : tasksDone > 0 ? "-" : " ";
  const notes = [...seenWords(milestone), ...stallWords(milestone)].join(", ");
  return row(
    `[${mark}] ${quoted(shortName(name))} ${String(tasksDone)}/${String(tasks)}`,
    span("faint", notes === "" ? "" : `  ${notes}`),
  );
}

/** Short enough that the text after a name stays on its row, even on a screen of 80 columns. */
const NAME_CELLS_MAX = 48;

/** The name of a milestone, cleaned and cut to fit into a row. */
export function shortName(name: string): string {
  return cutText(sentence("plain", name).text, NAME_CELLS_MAX);
}

/** Whether a milestone was reviewed and tested, in words. */
export function seenWords({ isReviewed, isTested }: MilestoneStatus): readonly string[] {
  return [...(isReviewed ? ["reviewed"] : []), ...(isTested ? ["tested"] : [])];
}

/** Says that a milestone is stalled, or that a role gave up on it. */
export function stallWords({ gaveUp, stalled, isSetAside }: MilestoneStatus): readonly string[] {
  const attempts = count(stalled, "attempt");
  const stall = isSetAside ? `set aside after ${attempts}` : `${attempts} without progress`;
  return [...gaveUp.map((role) => `the ${role} gave up`), ...(stalled === 0 ? [] : [stall])];
}

/** The row of an open finding or bug. */
export function itemRow(item: OpenItem): Row {
  const { id, level, brief, attempts, state, isBlocking } = item;
  const tried = attempts === 0 ? "" : `, ${count(attempts, "attempt")}`;
  const states = {
    open: "",
    fixed: ", fixed, not checked yet",
    spent: ", given up",
    stalemate: ", left to you: its fixes did not close it",
  };
  const tone = isBlocking ? "bad" : "plain";
  const what = cleanSpan(tone, `${brief}${placeWords(item)}${tried}${states[state]}`);
  return row(cleanSpan(tone, id), span(tone, `  ${level}  `), what);
}

function questionRows({ questions }: StatusView): readonly Row[] {
  return questions.flatMap((question) => [
    row(cleanSpan("ask", questionWords(question, question.id))),
    row(`  ${question.answer}`),
  ]);
}

/** How many tests are named; the rest is only counted, because PROGRESS.txt lists them all. */
const RED_NAMED_MAX = 5;

function redWords({ failing }: NonNullable<StatusView["redAtBase"]>): string {
  if (failing.length === 0) return "verify was red before the work began, and named no test";
  const named = failing.slice(0, RED_NAMED_MAX);
  const rest = failing.length - named.length;
  const more = rest === 0 ? "" : ` and ${String(rest)} more`;
  const tests = count(failing.length, "test");
  return `${tests} red before the work began, not blamed on any milestone: ${named.join(", ")}${more}`;
}

function noticeRows(view: StatusView): readonly Row[] {
  const { quarantined, degraded, meanwhile, redAtBase, remote } = view;
  const { lines, files } = quarantined;
  const passed = `${count(lines, "line")} skipped as unreadable, in ${files.join(", ")}`;
  const red = redAtBase === undefined ? [] : [redWords(redAtBase)];
  const away = remote?.says === undefined ? [] : [remote.says];
  return [...(lines === 0 ? [] : [passed]), ...red, ...degraded, ...away, ...meanwhile].map(
    (text) => row(cleanSpan("ask", text)),
  );
}
