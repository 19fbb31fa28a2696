import { laterCommand, laterWords } from "../../workspace/finished/later-command.ts";
import { quoted, shortSha } from "../../workspace/session/describe-unit.ts";
import { formatTimeLeft } from "../../base/words/format-duration.ts";
import { cleanText } from "../../base/words/clean-text.ts";
import { count, sentence, type Sentence, type Tone } from "../../base/words/sentence.ts";
import { closedSentences } from "../next/closed-sentences.ts";
import type { PlanToApprove } from "./plan-to-approve.ts";
import { heldEngineWords } from "../../workspace/session/held-engines.ts";
import type { StatusView, StuckHintStatus } from "./status-view.ts";
import { elsewhereSentences, movedSentences } from "./elsewhere.ts";
import { waitingSentence } from "./waiting-sentence.ts";

/** What people should know about the state of a session, besides its phase. */
export function stateSentences(view: StatusView): readonly Sentence[] {
  const { end, halt, hints, isStopped, isPaused, drainLeftMs } = view;
  const moved = movedSentences(view.movedTo);
  if (view.closed !== undefined) return [...moved, ...closedSentences(view)];
  const sentences: readonly (readonly [Tone, string] | undefined)[] = [
    end === undefined ? undefined : [end.how === "complete" ? "good" : "bad", endWords(view, end)],
    waitingSentence(view),
    view.waitingPlan === undefined ? undefined : ["ask", planSentence(view, view.waitingPlan)],
    view.heldAt === undefined ? undefined : ["ask", heldWords(view.heldAt)],
    view.laterCommits === 0 ? undefined : ["ask", laterSentence(view)],
    end === undefined && halt !== undefined ? ["bad", halt] : undefined,
    ...hints.map((hint) => ["ask", hintWords(hint)] as const),
    view.hold === undefined ? undefined : ["ask", `waiting: ${view.hold}`],
    // Others take its turns.
    ...(view.hold === undefined ? (view.heldEngines ?? []) : []).map(
      (held) => ["ask", heldEngineWords(held)] as const,
    ),
    isStopped ? ["ask", stopWords(view)] : undefined,
    isPaused ? ["ask", "the session is paused"] : undefined,
    ["ask", nobodyWords(view)],
    drainLeftMs === undefined
      ? undefined
      : ["plain", `the builder waits at most ${formatTimeLeft(drainLeftMs)} more`],
  ];
  return [
    ...moved,
    ...elsewhereSentences(view.elsewhere),
    ...sentences.flatMap((line) =>
      line === undefined || line[1] === "" ? [] : [sentence(line[0], line[1])],
    ),
  ];
}

function planSentence({ session }: StatusView, { milestones, tasks }: PlanToApprove): string {
  const size = `${count(milestones, "milestone")}, ${count(tasks, "task")}`;
  return `the plan is waiting for your approval: ${size}; to see it: wisp plan ${session}`;
}

function heldWords(directory: string): string {
  const where = cleanText(directory, { charsMax: 200, lines: "one" });
  return `nothing can be published while ${where} has the branch checked out`;
}

function hintWords({ milestone, stalled, file }: StuckHintStatus): string {
  const where = file === undefined ? "logs/builder.log" : file;
  return `stuck hint for ${quoted(milestone)} after ${count(stalled, "attempt")}: ${where}`;
}

/** The end of a session applies only to the reviewed commits, not to later ones. */
function endWords({ laterCommits, reviewedTo }: StatusView, end: { readonly reason: string }) {
  const isWhole = laterCommits === 0 || reviewedTo === undefined;
  return isWhole ? end.reason : `up to ${shortSha(reviewedTo)} ${end.reason}`;
}

/** The commits that were added after a session completed. */
function laterSentence(view: StatusView): string {
  const { laterReviewedBy: by, parent, session } = view;
  const command = laterCommand({ by }, parent?.session ?? session);
  return `${laterWords({ count: view.laterCommits, after: view.reviewedTo })}: ${command}`;
}

/** Why a session is stopped: for its revision, or because a person asked. */
function stopWords({ revisions, finishing }: StatusView): string {
  const last = revisions.at(-1)?.session;
  if (last !== undefined) return `it continues as ${last}`;
  return finishing.length === 0 ? "a stop is in force" : stoppingWords(finishing);
}

function stoppingWords(finishing: StatusView["finishing"]): string {
  const [first = "", ...others] = finishing;
  if (others.length === 0) return `stopping: the ${first} finishes its turn`;
  return `stopping: the ${[first, ...others].join(", the ")} finish their turns`;
}

/** Says that nothing is running although it should be; empty if nothing needs to run. */
function nobodyWords(view: StatusView): string {
  const { stage, state, isSupervised, supervisorEnd, elsewhere } = view;
  if (elsewhere?.isHeard === false || view.movedTo !== undefined) return "";
  const why = supervisorEnd === undefined ? "" : `: ${supervisorEnd.reason}`;
  // The last supervisor's reason is about the earlier end, so it is not shown here.
  if (stage === "reopened") return "nothing is running";
  if (stage === "interrupted") return `nothing is running${why}`;
  const isDue = state === "RUNNING" || stage === "failed";
  return isDue && !isSupervised ? `no supervisor is running${why}` : "";
}
