import type { SessionStateName, WispState } from "../../session/rules/session-machine.ts";
import { formatDuration } from "../../base/words/format-duration.ts";
import type { Paint } from "../rows/paint.ts";
import { progressWords, revisedWords } from "./revisions-view.ts";
import type { RemoteStatus } from "../status/remote-status.ts";
import { count, sentence, type Tone } from "../../base/words/sentence.ts";
import { phaseWords } from "../status/status-text.ts";
import type { StatusFacts } from "../../workspace/session/status-facts.ts";
import { statusView, type StatusView } from "../status/status-view.ts";

/** A session in a list of them; fields are added, never renamed or removed. */
export interface ListedSession {
  readonly session: string;
  readonly branch: string;
  /** As people name it, and as wisp computes it. */
  readonly state: SessionStateName;
  readonly stage: WispState;
  /** Both in words, as `wisp status` has them. */
  readonly says: string;
  readonly isSupervised: boolean;
  /** See `StatusView`. */
  readonly finishing: StatusView["finishing"];
  readonly milestones: { readonly done: number; readonly of: number };
  readonly tasks: { readonly done: number; readonly of: number };
  readonly openItems: number;
  /** What waits for a person's answer, and how much of that no engine asked: it cannot get past it. */
  readonly questions: number;
  readonly blocked: number;
  /** See `StatusView`. */
  readonly laterCommits: number;
  /** Of a revision: the session that it mends. */
  readonly parent: string | undefined;
  /** How many revisions of it are complete. */
  readonly revisions: number;
  readonly createdAt: string;
  readonly ageMs: number;
  readonly home: string;
  /** See `StatusView`. */
  readonly remote?: StatusView["remote"];
  /** See `StatusView`. */
  readonly clones: StatusView["clones"];
}

/** One session of the list. */
export function listedSession(facts: StatusFacts): ListedSession {
  const { session, nowMs } = facts;
  const view = statusView(facts);
  const sum = (of: (milestone: (typeof view.milestones)[number]) => number) =>
    view.milestones.reduce((total, milestone) => total + of(milestone), 0);
  return {
    session: session.id,
    branch: session.branch,
    state: view.state,
    stage: view.stage,
    says: phaseWords(view),
    isSupervised: view.isSupervised,
    finishing: view.finishing,
    milestones: { done: sum(({ isFinished }) => (isFinished ? 1 : 0)), of: view.milestones.length },
    tasks: { done: sum(({ tasksDone }) => tasksDone), of: sum(({ tasks }) => tasks) },
    openItems: view.openItems.filter(({ isBlocking }) => isBlocking).length,
    questions: view.questions.length,
    laterCommits: view.laterCommits,
    blocked: view.questions.filter(({ isBlocked }) => isBlocked).length,
    parent: session.parent?.id,
    revisions: view.revised,
    createdAt: session.createdAt,
    ageMs: Math.max(0, nowMs - Date.parse(session.createdAt)),
    home: facts.home.directory,
    remote: view.remote,
    clones: view.clones,
  };
}

/** A session of which its home does not tell: a row of its own, so that it is not missed. */
export interface UntoldSession {
  readonly session: string;
  /** Why, in a few words. */
  readonly says: string;
  /** Undefined: nobody knows. */
  readonly branch: string | undefined;
  readonly ageMs: number | undefined;
}

/** A line for each of them, those of which the home does not tell last. */
export function sessionsText(
  sessions: readonly ListedSession[],
  paint: Paint,
  untold: readonly UntoldSession[] = [],
): string {
  const told = sessions.map((one) => ({
    isRevision: one.parent !== undefined,
    id: one.session,
    state: one.parent === undefined ? one.says : progressWords(progressOf(one)),
    progress: `${String(one.tasks.done)}/${String(one.tasks.of)} tasks`,
    age: formatDuration(one.ageMs),
    branch: sentence("plain", one.branch).text,
    tone: TONES[one.state],
    notes: notesOf(one),
  }));
  const all = [...told, ...untold.map(untoldRow)];
  const rows = all.filter(({ isRevision }) => !isRevision);
  const width = (of: (row: (typeof rows)[number]) => string) =>
    Math.max(0, ...rows.map((row) => of(row).length));
  const widths = {
    id: width(({ id }) => id),
    state: width(({ state }) => state),
    progress: width(({ progress }) => progress),
    age: width(({ age }) => age),
  };
  return all
    .map((row) => {
      const branch = row.branch === "" ? [] : [paint.faint(row.branch)];
      const last = [...branch, ...row.notes].join(", ");
      if (row.isRevision) {
        const said = paint.tone(row.tone, `[revision] ${row.state}`);
        return ["", `${paint.strong(row.id)} ${said}`, row.age, last].join("  ");
      }
      return [
        paint.strong(row.id.padEnd(widths.id)),
        paint.tone(row.tone, row.state.padEnd(widths.state)),
        row.progress.padEnd(widths.progress),
        row.age.padEnd(widths.age),
        last,
      ]
        .join("  ")
        .trimEnd();
    })
    .join("\n");
}

function untoldRow({ session, says, branch, ageMs }: UntoldSession) {
  const tone: Tone = "bad";
  return {
    ...{ isRevision: false, id: session, state: says, progress: "-", tone },
    age: ageMs === undefined ? "-" : formatDuration(ageMs),
    branch: sentence("plain", branch ?? "").text,
    notes: [],
  };
}

const TONES: Readonly<Record<SessionStateName, Tone>> = {
  START: "plain",
  RUNNING: "plain",
  NEEDS_INPUT: "ask",
  BLOCKED: "bad",
  STOPPED: "ask",
  DONE: "good",
  PR_PUSHED: "good",
  TEARDOWN: "faint",
};

function progressOf({ stage, milestones: items }: ListedSession) {
  return { stage, items };
}

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
  } = one;
  return [
    ...(finishing.length === 0 ? [] : [`stopping: ${finishing.join(", ")}`]),
    ...(revisions === 0 ? [] : [revisedWords(revisions)]),
    ...(clones === "hibernated" ? ["hibernated"] : []),
    ...(questions === blocked ? [] : [count(questions - blocked, "question")]),
    // Where everything waits for it, the state has said so.
    ...(blocked === 0 || stage === "blocked" ? [] : [`${count(blocked, "role")} blocked`]),
    ...(openItems === 0 ? [] : [`${String(openItems)} open`]),
    ...(one.laterCommits === 0 ? [] : [`${count(one.laterCommits, "commit")} not reviewed`]),
    ...(remote?.says === undefined ? [] : [remoteNote(remote)]),
    ...(state === "RUNNING" && !isSupervised ? ["nobody supervises it"] : []),
  ];
}

/** In a few words: the status has it whole. */
function remoteNote({ remote, hasMore }: RemoteStatus): string {
  return sentence("plain", hasMore ? `${remote} has more commits` : `not at ${remote}`).text;
}
