import { editCopies } from "../../fs-protocol/home/edit-copies.ts";
import { MCP_LOOK_MS, MCP_PROGRESS_MS } from "../../base/limits.ts";
import { requestedMax } from "../../fs-protocol/home/policy.ts";
import type { Actions, Answer, Watch } from "../actions.ts";
import { activeOf, readWork, type FinishedWork } from "../../workspace/finished/finished-work.ts";
import { hasClones } from "../../workspace/has-clones.ts";
import { laterCommand } from "../../workspace/finished/later-command.ts";
import { refused, succeeded, type ToolWorld } from "./mcp-answer.ts";
import { plainText } from "../../views/rows/row.ts";
import { readPresence } from "../../workspace/session/read-leases.ts";
import { readStatus } from "../../views/status/read-status.ts";
import { requestedBy } from "../../views/review/review-view.ts";
import { shellWord } from "../../base/words/shell-word.ts";
import { statusRows } from "../../views/status/status-rows.ts";
import { statusView, type StatusView } from "../../views/status/status-view.ts";
import { stageWords } from "../../views/status/stage-words.ts";
import { toolWords, withTools } from "./tool-words.ts";

/** How long nobody may be at work on a session elsewhere, which is kept going there, until it counts as at rest. */
const KEPT_MS = 10_000;

/** Returns the state of the work; on request only once it has ended or needs a person. */
export async function workStatus(
  world: ToolWorld,
  { session, waitSeconds }: Parameters<Actions["workStatus"]>[0],
  { signal, progress }: Watch,
): Promise<Answer> {
  const { clock } = world.host;
  const beginMs = clock.nowMs();
  let toldMs = -Infinity;
  let restMs = Infinity;
  for (;;) {
    const work = await readWork(world, { session });
    const view = await viewOf(world, work);
    const nowMs = clock.nowMs();
    const isOver = nowMs - beginMs >= waitSeconds * 1_000 || signal.aborted;
    restMs = isAtRest(view) ? Math.min(restMs, nowMs) : Infinity;
    // The wisp at its place starts such a session by itself.
    const isKept = view.elsewhere?.isHeard === true && view.stage === "interrupted";
    const isAtEnd = nowMs - restMs >= (isKept ? KEPT_MS : 0);
    if (isOver || isAtEnd) return statusAnswer(world, work);
    if (nowMs - toldMs >= MCP_PROGRESS_MS) {
      toldMs = nowMs;
      const seconds = Math.round((nowMs - beginMs) / 1_000);
      progress({ seconds, of: waitSeconds }, progressWords(view));
    }
    await clock.sleep(MCP_LOOK_MS, signal);
  }
}

/** The session itself, or its unfinished revision, with only what a check every second needs. */
async function viewOf(world: ToolWorld, work: FinishedWork): Promise<StatusView> {
  const { host } = world;
  const active = activeOf(work);
  const presence = await readPresence(host, active.found.home);
  return statusView({
    ...active.found,
    state: active.state,
    quarantined: [],
    edits: editCopies(host.files, active.found.home),
    hasClones: hasClones(world, active.found),
    ...presence,
    nowMs: host.clock.nowMs(),
  });
}

/** Whether its state no longer changes by itself. */
function isAtRest({ state, isSupervised, roles, elsewhere }: StatusView): boolean {
  // Of one that has only just been started elsewhere, nothing may have been heard yet.
  if (elsewhere?.isHeard === false && elsewhere.heardAgoMs !== undefined) return true;
  const isAtWork = state === "RUNNING" || state === "START";
  return !isAtWork || !(isSupervised || roles.some(({ isRunning }) => isRunning));
}

function progressWords(view: StatusView): string {
  const done = view.milestones.filter(({ isFinished }) => isFinished).length;
  const milestones = `${String(done)}/${String(view.milestones.length)} milestones`;
  return `${view.session}: ${stageWords(view)}, ${milestones}`;
}

/** The content of `wisp status`, revisions included, with tools for the next steps. */
async function statusAnswer(world: ToolWorld, work: FinishedWork): Promise<Answer> {
  const { found, stage, diffId } = work;
  const read = await readStatus(world, activeOf(work).found);
  if (!read.ok) return refused(read.failure, work);
  const status = forModel(read.value.view);
  const next = nextTools(work, read.value.view);
  const shown = withTools(plainText(statusRows({ ...status, next: [] })));
  const text = `${shown}\n\nReview state: ${stage}\nNext: ${next}`;
  const stands = { session: found.session.id, state: stage, diffId };
  return succeeded(text, { says: `Next: ${next}`, ...stands, next, status });
}

/** The same, with commands replaced by tools. */
function forModel(view: StatusView) {
  return {
    ...view,
    degraded: view.degraded.map(withTools),
    questions: view.questions.map((one) => ({ ...one, answer: toolWords(one.answer) })),
    next: toolsOf(view),
  };
}

function nextTools(work: FinishedWork, view: StatusView): string {
  const { questions, isSupervised, laterCommits, laterReviewedBy: by, closed } = view;
  const top = work.found.session.id;
  if (closed !== undefined) return closedTools(view);
  if (questions.length > 0) return "answer_question";
  // A plan is a person's to approve: no tool does it.
  if (view.stage === "approval") return orOf(toolsOf(view));
  // Only the user can leave the branch.
  if (view.heldAt !== undefined && view.next.length > 0) {
    return `ask the user to run: ${view.next.join(" or ")}`;
  }
  if (laterCommits > 0) return toolWords(laterCommand({ by }, top));
  const tools = toolsOf(view);
  switch (work.stage) {
    case "PENDING_REVIEW":
      return requestedBy(work) < requestedMax(work.found.session.policy)
        ? "review_changes, then request_revision or approve_changes"
        : "review_changes, then approve_changes; no further revision may be requested";
    case "APPROVED":
    case "REJECTED":
      return orOf(tools);
    case "REVISION_REQUESTED":
    case "REVISION_IN_PROGRESS":
      return isSupervised
        ? "work_status with waitSeconds"
        : orOf([...tools, `abandon_revision with session ${JSON.stringify(view.session)}`]);
    case "INITIAL_EXECUTION":
      return isSupervised
        ? "work_status with waitSeconds"
        : `${orOf(tools)}; if that does not help, ask the user to run: wisp status ${shellWord(top)}`;
  }
}

/** The next steps, as the status names them. */
function toolsOf({ next }: StatusView): readonly string[] {
  return [...new Set(next.map(toolWords))];
}

function orOf(tools: readonly string[]): string {
  return tools.join(", or ");
}

/** A closed session does not continue: what is left is to clean up, to merge or to inspect. */
function closedTools(view: StatusView): string {
  const [first = "", ...others] = toolsOf(view);
  const what = view.closed?.how === "done" ? "its work was shipped" : "it was abandoned";
  if (view.next[0]?.startsWith("wisp done ") === true) return first;
  return `nothing has to be done: ${what}; to have or change the work, ${orOf([first, ...others])}`;
}
