import { MCP_LOOK_MS, MCP_PROGRESS_MS } from "../base/limits.ts";
import type { ReviewState } from "../fs-protocol/review-machine.ts";
import type { Actions, Answer, Watch } from "../mcp/actions.ts";
import { activeOf, readWork, type FinishedWork } from "./finished-work.ts";
import { hasClones } from "./hibernate.ts";
import { refused, said, type ToolCli } from "./mcp-answer.ts";
import { createPaint } from "./paint.ts";
import { readLeases } from "./read-leases.ts";
import { phaseWords, statusText } from "./status-text.ts";
import { statusView, type StatusView } from "./status-view.ts";

/** Where the work stands; on request after it has ended, or needs somebody. */
export async function workStatus(
  cli: ToolCli,
  { session, waitSeconds }: Parameters<Actions["workStatus"]>[0],
  { signal, progress }: Watch,
): Promise<Answer> {
  const { clock } = cli.host;
  const beginMs = clock.nowMs();
  let toldMs = -Infinity;
  for (;;) {
    const work = await readWork(cli, { session });
    if (!work.ok) return refused(work.failure);
    const view = await viewOf(cli, work.value);
    const nowMs = clock.nowMs();
    const isOver = nowMs - beginMs >= waitSeconds * 1_000 || signal.aborted;
    if (isOver || isAtRest(view)) return statusAnswer(work.value, view);
    if (nowMs - toldMs >= MCP_PROGRESS_MS) {
      toldMs = nowMs;
      const seconds = Math.round((nowMs - beginMs) / 1_000);
      progress({ seconds, of: waitSeconds }, progressWords(view));
    }
    await clock.sleep(MCP_LOOK_MS, signal);
  }
}

/** The session itself, or its revision that is under way. */
async function viewOf(cli: ToolCli, work: FinishedWork): Promise<StatusView> {
  const { host } = cli;
  const active = activeOf(work);
  const alive = await readLeases(host, active.found.home);
  return statusView({
    ...active.found,
    state: active.state,
    quarantined: [],
    hasClones: hasClones(cli, active.found),
    alive,
    nowMs: host.clock.nowMs(),
  });
}

/** Whether it does not change by itself any more. */
function isAtRest({ state, isSupervised, roles }: StatusView): boolean {
  const isAtWork = state === "RUNNING" || state === "START";
  return !isAtWork || !(isSupervised || roles.some(({ isRunning }) => isRunning));
}

function progressWords(view: StatusView): string {
  const done = view.milestones.filter(({ isFinished }) => isFinished).length;
  const milestones = `${String(done)}/${String(view.milestones.length)} milestones`;
  return `${view.session}: ${phaseWords(view)}, ${milestones}`;
}

function statusAnswer({ found, stage, diffId }: FinishedWork, status: StatusView): Answer {
  const next = nextTools(stage, status);
  const text = `${statusText(status, createPaint(false))}\n\nReview state: ${stage}\nNext: ${next}`;
  const stands = { session: found.session.id, state: stage, diffId };
  const data = { says: `Next: ${next}`, ...stands, next, status: { ...status } };
  return said(text, data);
}

function nextTools(stage: ReviewState, { questions, isSupervised }: StatusView): string {
  if (questions.length > 0) return "answer_question";
  switch (stage) {
    case "PENDING_REVIEW":
      return "review_changes, then request_revision or approve_changes";
    case "APPROVED":
      return "a person takes the work: wisp done";
    case "REJECTED":
      return "nothing: the work was given up";
    default:
      return isSupervised ? "work_status with waitSeconds" : "a person looks: wisp status";
  }
}
