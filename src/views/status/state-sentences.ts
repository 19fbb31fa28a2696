import { laterCommand, laterWords } from "../../workspace/finished/later-command.ts";
import { quoted, shortSha } from "../../workspace/session/describe-unit.ts";
import { formatDuration } from "../../base/words/format-duration.ts";
import { count, sentence, type Sentence, type Tone } from "../../base/words/sentence.ts";
import { closedSentences } from "../next/closed-sentences.ts";
import type { StatusView, StuckHintStatus } from "./status-view.ts";
import { waitingSentence } from "./waiting-sentence.ts";

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
