import type { Actions, Answer } from "../actions.ts";
import { readWork } from "../../workspace/finished/finished-work.ts";
import { ensureRunning } from "../../actions/up/ensure-running.ts";
import { succeeded, withWork, type ToolWorld } from "./mcp-answer.ts";
import { plainText } from "../../views/rows/row.ts";
import { requestRevision } from "../../actions/revise/request-revision.ts";
import { approveWork, rejectWork } from "../../actions/close/review-decision.ts";
import { rejectedText } from "../../actions/close/rejected-text.ts";
import { reviewRows } from "../../views/review/review-rows.ts";
import { reviewDiff, reviewView, type ReviewView } from "../../views/review/review-view.ts";
import { count } from "../../base/words/sentence.ts";
import { shellWord } from "../../base/words/shell-word.ts";
import { toolWords } from "./tool-words.ts";

type ToolInput<Name extends keyof Actions> = Parameters<Actions[Name]>[0];

/**
 * The next steps for finished work that waits for review; "" if something else has to come first.
 */
function nextOf({ state, requested, session, laterCommits }: ReviewView): string {
  if (state !== "PENDING_REVIEW" || laterCommits > 0) return "";
  const change =
    requested.used < requested.max
      ? "request_revision with this diffId and your feedback if something has to change"
      : `reviews have requested ${count(requested.max, "revision")}, which is the limit: ask the user to run wisp revise ` +
        `${shellWord(session)} if something has to change`;
  return `Next: ${change}; approve_changes when it is right. reject_changes discards it for good.`;
}

/** Finished work, with its diff. */
export async function reviewChanges(
  world: ToolWorld,
  { session, includeDiff }: ToolInput<"reviewChanges">,
): Promise<Answer> {
  const work = await readWork(world, { session });
  const view = await reviewView(world, work);
  const diff = includeDiff ? await reviewDiff(world, work) : undefined;
  const next = [...new Set(view.next.map(toolWords))];
  const says = nextOf(view);
  const text = [
    plainText(reviewRows({ ...view, next: says === "" ? next : [] })),
    ...(diff === undefined ? [] : [diff.diff]),
    ...(says === "" ? [] : [says]),
  ];
  return succeeded(text.join("\n\n"), { says, ...view, ...diff, next });
}

/** Requests changes to finished work: creates the revision, and runs it. */
export async function requestChanges(
  world: ToolWorld,
  input: ToolInput<"requestRevision">,
): Promise<Answer> {
  const { diffId, feedback, preserveCorrectParts: preserve, additionalContext: context } = input;
  const comments = input.comments.map(({ path, line, text }) => ({
    place: `${path}:${String(line)}`,
    text,
  }));
  const words = { feedback, preserve, context, comments };
  return withWork(world, { diffId }, async (work) => {
    const view = await reviewView(world, work);
    const made = await requestRevision(world, work, { words, view });
    const { id } = made.session;
    await ensureRunning(world, made, { isStopped: false });
    const { used, max } = view.requested;
    const session = work.found.session.id;
    const data = { session, revision: id, state: "REVISION_REQUESTED", diffId: work.diffId };
    return succeeded(
      `Revision ${id} is running, ${String(used + 1)} of ${String(max)}. Next: work_status with waitSeconds.`,
      { ...data, requested: { used: used + 1, max } },
    );
  });
}

/** Records that finished work is approved. */
export async function approveChanges(
  world: ToolWorld,
  { diffId }: ToolInput<"approveChanges">,
): Promise<Answer> {
  return withWork(world, { diffId }, async (work) => {
    const { isNew } = await approveWork(world, work);
    const { id } = work.found.session;
    const now = work.diffId ?? diffId;
    const isTaken = work.state.human.closed !== undefined;
    const then = isTaken
      ? "Its work was shipped"
      : `To ship it, ask the user to run: wisp done ${id}`;
    const data = { session: id, state: "APPROVED", diffId: now, isNew };
    return succeeded(`${now} is approved. ${then}`, data);
  });
}

/** Rejects the work for good. */
export async function rejectChanges(
  world: ToolWorld,
  { diffId }: ToolInput<"rejectChanges">,
): Promise<Answer> {
  return withWork(world, { diffId }, async (work) => {
    const rejected = await rejectWork(world, work);
    const { branch, torn } = rejected;
    const kept = [branch?.ref, ...torn.rescues].filter((ref) => ref !== undefined);
    const text = rejectedText(work.found, rejected);
    // Only a person can restore it.
    return succeeded(text.replaceAll(/^( {2}back +)git /gmu, "$1ask the user to run: git "), {
      session: work.found.session.id,
      state: "REJECTED",
      diffId: work.diffId,
      kept,
    });
  });
}
