import type { SessionStateName, WispState } from "../../session/rules/session-machine.ts";
import { NOTHING_VERIFIED } from "../../session/rules/nothing-verified.ts";
import { formatDuration } from "../../base/words/format-duration.ts";
import { row, span, type Row } from "../rows/row.ts";
import { table, type Cell } from "../rows/table.ts";
import { progressWords, revisedWords } from "./revisions-view.ts";
import type { RemoteStatus } from "../status/remote-status.ts";
import { count, sentence, type Tone } from "../../base/words/sentence.ts";
import { planProgress } from "../status/milestone-status.ts";
import { heldEngineWords } from "../../workspace/session/held-engines.ts";
import { isOutOfReach, stageWords, type Standing } from "../status/stage-words.ts";
import type { StatusFacts } from "../../workspace/session/status-facts.ts";
import { statusView, type StatusView } from "../status/status-view.ts";

/** One session in the list of sessions; fields are added, never renamed or removed. */
export interface ListedSession {
  readonly session: string;
  readonly branch: string;
  /** The state as people name it, and the finer one that wisp computes. */
  readonly state: SessionStateName;
  readonly stage: WispState;
  /** See `StatusView`. */
  readonly nothingVerified?: StatusView["nothingVerified"];
  /** Both in words, as `wisp status` shows them. */
  readonly says: string;
  readonly isSupervised: boolean;
  /** See `StatusView`. */
  readonly heldEngines?: StatusView["heldEngines"];
  /** See `StatusView`. */
  readonly finishing: StatusView["finishing"];
  readonly milestones: { readonly done: number; readonly of: number };
  readonly tasks: { readonly done: number; readonly of: number };
  readonly openItems: number;
  /** How many questions wait for a person's answer, and how many of those report that an engine is blocked. */
  readonly questions: number;
  readonly blocked: number;
  /** See `StatusView`. */
  readonly laterCommits: number;
  /** For a revision: the session that it revises. */
  readonly parent: string | undefined;
  /** How many revisions of the session are complete. */
  readonly revisions: number;
  readonly createdAt: string;
  readonly ageMs: number;
  readonly home: string;
  /** See `StatusView`. */
  readonly remote?: StatusView["remote"];
  /** See `StatusView`. */
  readonly clones: StatusView["clones"];
  /** See `StatusView`. */
  readonly movedTo?: StatusView["movedTo"];
  /** See `StatusView`. */
  readonly elsewhere?: StatusView["elsewhere"];
}

/** One session of the list. */
export function listedSession(facts: StatusFacts): ListedSession {
  return listedStatus(facts, statusView(facts), facts.nowMs);
}

/** The same of a session whose status has just been read. */
export function listedStatus(
  { session, home }: Pick<StatusFacts, "session" | "home">,
  view: StatusView,
  nowMs: number,
): ListedSession {
  return {
    session: session.id,
    branch: session.branch,
    state: view.state,
    stage: view.stage,
    nothingVerified: view.nothingVerified,
    says: stageWords(view),
    isSupervised: view.isSupervised,
    heldEngines: view.heldEngines,
    finishing: view.finishing,
    ...planProgress(view.milestones),
    openItems: view.openItems.filter(({ isBlocking }) => isBlocking).length,
    questions: view.questions.length,
    laterCommits: view.laterCommits,
    blocked: view.questions.filter(({ isBlocked }) => isBlocked).length,
    parent: session.parent?.id,
    revisions: view.revised,
    createdAt: session.createdAt,
    ageMs: Math.max(0, nowMs - Date.parse(session.createdAt)),
    home: home.directory,
    remote: view.remote,
    clones: view.clones,
    movedTo: view.movedTo,
    elsewhere: view.elsewhere,
  };
}

/** A session whose home cannot be read. It gets a row of its own, so that it is not overlooked. */
export interface UntoldSession {
  readonly session: string;
  /** Why the home cannot be read, in a few words. */
  readonly says: string;
  /** Undefined if unknown. */
  readonly branch: string | undefined;
  readonly ageMs: number | undefined;
}

/** One row per session; sessions whose homes cannot be read come last. */
export function sessionRows(
  sessions: readonly ListedSession[],
  untold: readonly UntoldSession[] = [],
): readonly Row[] {
  const inColumns = sessions.filter(({ parent }) => parent === undefined);
  const rows = table([...inColumns.map(cellsOf), ...untold.map(untoldCells)]);
  return [
    ...sessions.map((one) => rows[inColumns.indexOf(one)] ?? revisionRow(one)),
    ...rows.slice(inColumns.length),
  ];
}

function cellsOf(one: ListedSession): readonly Cell[] {
  const { session, says, tasks, ageMs } = one;
  const done = `${String(tasks.done)}/${String(tasks.of)} tasks`;
  const head = [span("strong", session), span(stateTone(one), says)];
  return [...head, done, formatDuration(ageMs), branchCell(one)];
}

/** A revision is shown below the session that it revises, outside the columns. */
function revisionRow(one: ListedSession): Row {
  const { session, stage, milestones: items, ageMs } = one;
  const progress = progressWords({ stage, items });
  const words = one.nothingVerified === true ? `${progress}, ${NOTHING_VERIFIED}` : progress;
  const what = span(stateTone(one), `[revision] ${words}`);
  const age = formatDuration(ageMs);
  return row("  ", span("strong", session), " ", what, `  ${age}  `, ...branchCell(one));
}

function branchCell(one: ListedSession): Row {
  const branch = span("faint", sentence("plain", one.branch).text);
  return row(branch, ...notesOf(one).map((note) => `, ${note}`));
}

function untoldCells({ session, says, branch = "", ageMs }: UntoldSession): readonly Cell[] {
  const age = ageMs === undefined ? "-" : formatDuration(ageMs);
  const name = span("faint", sentence("plain", branch).text);
  return [span("strong", session), span("bad", says), "-", age, name];
}

/** How a state looks in a list of sessions. */
export function stateTone(one: Pick<Standing, "state" | "stage" | "elsewhere">): Tone {
  return isOutOfReach(one) ? "ask" : STATE_TONES[one.state];
}

const STATE_TONES: Readonly<Record<SessionStateName, Tone>> = {
  START: "plain",
  RUNNING: "plain",
  NEEDS_INPUT: "ask",
  BLOCKED: "bad",
  STOPPED: "ask",
  DONE: "good",
  PR_PUSHED: "good",
  TEARDOWN: "faint",
};

function notesOf(one: ListedSession): readonly string[] {
  const {
    questions,
    blocked,
    stage,
    openItems,
    isSupervised,
    state,
    revisions,
    clones,
    finishing,
    remote,
    movedTo,
    heldEngines = [],
  } = one;
  return [
    ...(movedTo === undefined ? [] : [sentence("plain", `moved to ${movedTo}`).text]),
    ...(finishing.length === 0 ? [] : [`stopping: ${finishing.join(", ")}`]),
    ...heldEngines.map(heldEngineWords),
    ...(revisions === 0 ? [] : [revisedWords(revisions)]),
    ...(clones === "hibernated" ? ["hibernated"] : []),
    ...(questions === blocked ? [] : [count(questions - blocked, "question")]),
    // If the whole session is blocked, the state has already said so.
    ...(blocked === 0 || stage === "blocked" ? [] : [`${count(blocked, "role")} blocked`]),
    ...(openItems === 0 ? [] : [`${String(openItems)} open`]),
    ...(one.laterCommits === 0 ? [] : [`${count(one.laterCommits, "commit")} not reviewed`]),
    ...(remote?.says === undefined ? [] : [remoteNote(remote)]),
    ...(state === "RUNNING" && !isSupervised && movedTo === undefined && !isOutOfReach(one)
      ? ["no supervisor is running"]
      : []),
  ];
}

/** A short note; the status shows the full sentence. */
function remoteNote({ remote, hasMore }: RemoteStatus): string {
  return sentence("plain", hasMore ? `${remote} has more commits` : `not at ${remote}`).text;
}
