import { UNUSUAL_TITLE, unusualLines } from "../../agents/unusual/unusual-lines.ts";
import { closedSentences } from "../next/closed-sentences.ts";
import { spentWords } from "../cost/cost-text.ts";
import { quoted, shortSha, whereItIs } from "../../workspace/session/describe-unit.ts";
import { formatDuration } from "../../base/words/format-duration.ts";
import { laterCommand, laterWords } from "../../workspace/finished/later-command.ts";
import type { OpenItem } from "./open-items.ts";
import type { Paint } from "../rows/paint.ts";
import type { RoleActivity } from "../../workspace/session/role-activity.ts";
import { BASE_TESTS_TITLE, baseTestsLines } from "./base-tests-words.ts";
import { keptEditLines } from "./kept-edits.ts";
import { SENSITIVE_TITLE, sensitiveLines } from "./sensitive-words.ts";
import { count, sentence, type Sentence, type Tone } from "../../base/words/sentence.ts";
import { setAsideWords } from "./set-aside.ts";
import { questionWords } from "./question-words.ts";
import { progressWords, revisedWords } from "../next/revisions-view.ts";
import type { MilestoneStatus } from "./milestone-status.ts";
import { stageWords } from "./stage-words.ts";
import type { StatusView, StuckHintStatus } from "./status-view.ts";
import { waitingSentence } from "./waiting-sentence.ts";

/** So many of a kind fit on a screen; of more, the rest is counted. */
const ROWS_MAX = 12;

/** A status as text, one screen of it. */
export function statusText(view: StatusView, paint: Paint): string {
  const blocks = [
    heading(view, paint),
    view.roles.flatMap((role) => [roleLine(role, paint), ...refusedLine(role, paint)]),
    titled(
      "Milestones",
      view.milestones.map((milestone) => milestoneLine(milestone, paint)),
      paint,
    ),
    titled(
      "Revisions",
      [
        ...view.revisions.map((one) => `${one.session} ${progressWords(one)}`),
        ...damagedLines(view, paint),
      ],
      paint,
    ),
    [`Reviewed ${String(view.reviewed.commits)} / ${String(view.reviewed.of)} commits`],
    view.spent.turns === 0 ? [] : [`Used ${spentWords(view.spent)}`],
    titled(
      "Open",
      view.openItems.map((item) => itemLine(item, paint)),
      paint,
    ),
    titled(
      "Owed",
      view.owed.map(({ role, what }) => `${role}: ${what.join(", ")}`),
      paint,
    ),
    titled(SENSITIVE_TITLE, sensitiveLines(view.sensitive), paint),
    titled(UNUSUAL_TITLE, unusualLines(view.unusual), paint),
    titled(BASE_TESTS_TITLE, baseTestsLines(view.baseTests), paint),
    titled("Edited by somebody else", keptEditLines(view.edits), paint),
    titled(
      "Set aside",
      view.setAside.map((one) => painted(["ask", setAsideWords(one)], paint)),
      paint,
    ),
    questionLines(view, paint),
    noticeLines(view, paint),
    view.next.map((command) => `${paint.faint("next:")} ${command}`),
  ];
  return blocks
    .filter((lines) => lines.length > 0)
    .map((lines) => lines.join("\n"))
    .join("\n\n");
}

function heading(view: StatusView, paint: Paint): readonly string[] {
  const done = view.milestones.filter(({ isFinished }) => isFinished).length;
  const tasks = view.milestones.reduce((sum, milestone) => sum + milestone.tasks, 0);
  const tasksDone = view.milestones.reduce((sum, milestone) => sum + milestone.tasksDone, 0);
  const progress =
    `${String(done)}/${String(view.milestones.length)} milestones, ` +
    `${String(tasksDone)}/${String(tasks)} tasks ${revisedWords(view.revised)}`.trimEnd();
  return [
    `${paint.strong(view.session)}  ${phaseWords(view)}  ${paint.faint(progress)}`,
    paint.faint(
      `branch ${sentence("plain", view.branch).text} ${whereItIs(view.head)}, files in ${view.home}${clonesWords(view)}`,
    ),
    ...(view.parent === undefined
      ? []
      : [paint.faint(`revision ${String(view.parent.revision)} of ${view.parent.session}`)]),
    ...stateLines(view, paint),
  ];
}

function damagedLines({ damagedRevisions = [] }: StatusView, paint: Paint): readonly string[] {
  return damagedRevisions.map(({ session, problem, repair }) =>
    painted(["bad", `${session} is damaged (${problem}): ${repair}`], paint),
  );
}

function clonesWords({ clones }: StatusView): string {
  return clones === "hibernated" ? ", hibernated: its clones come back when they are needed" : "";
}

/** Where a session stands, in the words that lists have for it, too. */
export function phaseWords({ state, stage, questions }: StatusView): string {
  return stageWords({ state, stage, questions });
}

function stateLines(view: StatusView, paint: Paint): readonly string[] {
  return stateSentences(view).map(({ tone, text }) => paint.tone(tone, text));
}

/** What is to be known of how it stands, beside its phase. */
export function stateSentences(view: StatusView): readonly Sentence[] {
  const { end, halt, hints, isStopped, isPaused, drainLeftMs } = view;
  if (view.closed !== undefined) return closedSentences(view);
  const said: readonly (readonly [Tone, string] | undefined)[] = [
    end === undefined ? undefined : [end.how === "complete" ? "good" : "bad", endWords(view, end)],
    waitingSentence(view),
    view.laterCommits === 0 ? undefined : ["ask", laterSentence(view)],
    end === undefined && halt !== undefined ? ["bad", halt] : undefined,
    ...hints.map((hint) => ["ask", hintWords(hint)] as const),
    view.hold === undefined ? undefined : ["ask", `waits: ${view.hold}`],
    isStopped ? ["ask", stopWords(view)] : undefined,
    isPaused ? ["ask", "the session is paused"] : undefined,
    ["ask", nobodyWords(view)],
    drainLeftMs === undefined
      ? undefined
      : ["plain", `the builder waits at most ${formatDuration(drainLeftMs)} more`],
  ];
  return said.flatMap((line) =>
    line === undefined || line[1] === "" ? [] : [sentence(line[0], line[1])],
  );
}

function hintWords({ milestone, stalled, file }: StuckHintStatus): string {
  const where = file === undefined ? "logs/builder.log" : file;
  return `stuck hint for ${quoted(milestone)} after ${count(stalled, "attempt")}: ${where}`;
}

/** What a session ended with holds for what was reviewed: not for what came later. */
function endWords({ laterCommits, reviewedTo }: StatusView, end: { readonly reason: string }) {
  const isWhole = laterCommits === 0 || reviewedTo === undefined;
  return isWhole ? end.reason : `up to ${shortSha(reviewedTo)} ${end.reason}`;
}

/** What came after the end of a complete session. */
function laterSentence(view: StatusView): string {
  const { laterReviewedBy: by, parent, session } = view;
  const command = laterCommand({ by }, parent?.session ?? session);
  return `${laterWords({ count: view.laterCommits, after: view.reviewedTo })}: ${command}`;
}

/** A session that is revised is stopped for it. */
function stopWords({ revisions, finishing }: StatusView): string {
  const last = revisions.at(-1)?.session;
  if (last !== undefined) return `it went on as ${last}`;
  return finishing.length === 0 ? "a stop is in force" : stoppingWords(finishing);
}

function stoppingWords(finishing: StatusView["finishing"]): string {
  const [first = "", ...others] = finishing;
  if (others.length === 0) return `stopping: the ${first} finishes its turn`;
  return `stopping: the ${[first, ...others].join(", the ")} finish their turns`;
}

/** Where somebody should be at work, and is not; nothing where nobody need be. */
function nobodyWords({ stage, state, isSupervised, supervisorEnd }: StatusView): string {
  const why = supervisorEnd === undefined ? "" : `: ${supervisorEnd.reason}`;
  // Why the last one left is about the end that was.
  if (stage === "reopened") return "nobody works on it";
  if (stage === "interrupted") return `nobody works on it${why}`;
  const isDue = state === "RUNNING" || stage === "failed";
  return isDue && !isSupervised ? `nobody supervises it${why}` : "";
}

function roleLine(role: RoleActivity, paint: Paint): string {
  const tones: Readonly<Record<RoleActivity["state"], Tone>> = {
    works: "plain",
    interrupted: "ask",
    waits: "faint",
    due: "plain",
    ended: "faint",
    failed: "bad",
  };
  const notes = [
    ...(role.isRunning || role.state === "ended" || role.state === "failed" ? [] : ["not running"]),
    ...(role.isUnsupervised ? ["unsupervised"] : []),
  ];
  const note = notes.length === 0 ? "" : ` (${notes.join(", ")})`;
  const name = paint.speaker(role.role, role.role.padEnd(10));
  return `  ${name}${painted([tones[role.state], `${role.says}${note}`], paint)}`;
}

/** Below its role; without colour where the turn found another way, as most do. */
function refusedLine({ refused, state }: RoleActivity, paint: Paint): readonly string[] {
  if (refused === undefined) return [];
  const isOvercome = refused.outcome !== "failed";
  if (isOvercome && state === "ended") return [];
  const when = refused.outcome === "going on" ? "is refused" : "was refused";
  const what = refused.refused === "" ? "" : `: ${refused.refused}`;
  const text = `${refused.engine} ${when} ${count(refused.denied, "call")}${what}`;
  return [`    ${painted([isOvercome ? "faint" : "ask", text], paint)}`];
}

function milestoneLine(milestone: MilestoneStatus, paint: Paint): string {
  const { name, tasks, tasksDone, isFinished, isReviewed, isTested } = milestone;
  const mark = isFinished ? "x" : tasksDone > 0 ? "-" : " ";
  const seen = [
    ...(isReviewed ? ["reviewed"] : []),
    ...(isTested ? ["tested"] : []),
    ...milestone.gaveUp.map((role) => `the ${role} gave up`),
    ...stallWords(milestone),
  ];
  const after = seen.length === 0 ? "" : paint.faint(`  ${seen.join(", ")}`);
  const shown = quoted(shortName(name));
  return `[${mark}] ${shown} ${String(tasksDone)}/${String(tasks)}${after}`;
}

/** What follows a name is to stay on its row, on a screen of 80 columns, too. */
const NAME_CHARS_MAX = 48;

/** The name of a milestone as it fits into a row. */
export function shortName(name: string): string {
  return name.length <= NAME_CHARS_MAX ? name : `${name.slice(0, NAME_CHARS_MAX - 1)}…`;
}

/** That a milestone does not get on. */
export function stallWords({
  stalled,
  isSetAside,
}: Pick<MilestoneStatus, "stalled" | "isSetAside">): readonly string[] {
  if (stalled === 0) return [];
  const attempts = count(stalled, "attempt");
  return [isSetAside ? `set aside after ${attempts}` : `${attempts} without progress`];
}

function itemLine(item: OpenItem, paint: Paint): string {
  const { id, level, brief, file, line, attempts, state, isBlocking } = item;
  const at = file === undefined ? "" : ` (${file}${line === undefined ? "" : `:${String(line)}`})`;
  const tried = attempts === 0 ? "" : `, ${count(attempts, "attempt")}`;
  const states = {
    open: "",
    fixed: ", fixed, to be looked at",
    spent: ", given up",
    stalemate: ", left to you: its fixes did not close it",
  };
  const text = `${id}  ${level}  ${brief}${at}${tried}${states[state]}`;
  return painted([isBlocking ? "bad" : "plain", text], paint);
}

function questionLines({ questions }: StatusView, paint: Paint): readonly string[] {
  return questions.flatMap((question) => [
    painted(["ask", questionWords(question, question.id)], paint),
    `  ${question.answer}`,
  ]);
}

/** Of more names the rest is counted: PROGRESS.txt lists them. */
const RED_NAMED_MAX = 5;

function redWords({ failing }: NonNullable<StatusView["redAtBase"]>): string {
  if (failing.length === 0) return "verify was red before the work began, and named no test";
  const named = failing.slice(0, RED_NAMED_MAX);
  const rest = failing.length - named.length;
  const more = rest === 0 ? "" : ` and ${String(rest)} more`;
  const tests = count(failing.length, "test");
  return `${tests} red before the work began, which no milestone is blamed for: ${named.join(", ")}${more}`;
}

function noticeLines(
  { quarantined, degraded, meanwhile, redAtBase, remote }: StatusView,
  paint: Paint,
): readonly string[] {
  const { lines, files } = quarantined;
  const passed = `${count(lines, "line")} passed over as unreadable, in ${files.join(", ")}`;
  const red = redAtBase === undefined ? [] : [redWords(redAtBase)];
  const away = remote?.says === undefined ? [] : [remote.says];
  return [...(lines === 0 ? [] : [passed]), ...red, ...degraded, ...away, ...meanwhile].map(
    (text) => painted(["ask", text], paint),
  );
}

function titled(title: string, rows: readonly string[], paint: Paint): readonly string[] {
  if (rows.length === 0) return [];
  const shown = rows.length > ROWS_MAX ? rows.slice(0, ROWS_MAX - 1) : rows;
  const rest = rows.length - shown.length;
  const more = rest === 0 ? [] : [paint.faint(`  and ${String(rest)} more`)];
  return [paint.strong(title), ...shown.map((row) => `  ${row}`), ...more];
}

function painted([tone, text]: readonly [Tone, string], paint: Paint): string {
  return paint.tone(tone, sentence(tone, text).text);
}
