import type { Actions, Answer } from "../mcp/actions.ts";
import { readWork } from "./finished-work.ts";
import { goOn } from "./go-on.ts";
import { refused, said, type ToolCli } from "./mcp-answer.ts";
import { createPaint } from "./paint.ts";
import { requestRevision } from "./request-revision.ts";
import { approveWork, rejectWork } from "./review-decision.ts";
import { rejectedText } from "./rejected-text.ts";
import { reviewText } from "./review-text.ts";
import { reviewDiff, reviewView, type ReviewView } from "./review-view.ts";
import { count } from "./sentence.ts";
import { shellWord } from "./shell-word.ts";
import { toolWords } from "./tool-words.ts";

type ToolInput<Name extends keyof Actions> = Parameters<Actions[Name]>[0];

/** What leads on from finished work that waits to be looked at; "" where something else has to come first. */
function nextOf({ state, requested, session, laterCommits }: ReviewView): string {
  if (state !== "PENDING_REVIEW" || laterCommits > 0) return "";
  const change =
    requested.used < requested.max
      ? "request_revision with this diffId and your feedback when something has to change"
      : `reviews have asked for ${count(requested.max, "revision")}, which is the limit: ask the user to run wisp revise ` +
        `${shellWord(session)} when something has to change`;
  return `Next: ${change}; approve_changes when it is right. reject_changes discards it for good.`;
}

/** Finished work, with its diff. */
export async function reviewChanges(
  cli: ToolCli,
  { session, includeDiff }: ToolInput<"reviewChanges">,
): Promise<Answer> {
  const work = await readWork(cli, { session });
  if (!work.ok) return refused(work.failure);
  const view = await reviewView(cli, work.value);
  if (!view.ok) return refused(view.failure);
  const diff = includeDiff ? await reviewDiff(cli, work.value) : undefined;
  if (diff?.ok === false) return refused(diff.failure);
  const next = [...new Set(view.value.next.map(toolWords))];
  const says = nextOf(view.value);
  const text = [
    reviewText({ ...view.value, next: says === "" ? next : [] }, createPaint(false)),
    ...(diff === undefined ? [] : [diff.value.diff]),
    ...(says === "" ? [] : [says]),
  ];
  return said(text.join("\n\n"), { says, ...view.value, ...diff?.value, next });
}

/** Has finished work changed: makes the revision, and runs it. */
export async function requestChanges(
  cli: ToolCli,
  input: ToolInput<"requestRevision">,
): Promise<Answer> {
  const { diffId, feedback, preserveCorrectParts: preserve, additionalContext: context } = input;
  const work = await readWork(cli, { diffId });
  if (!work.ok) return refused(work.failure);
  const view = await reviewView(cli, work.value);
  if (!view.ok) return refused(view.failure, work.value);
  const comments = input.comments.map(({ path, line, text }) => ({
    place: `${path}:${String(line)}`,
    text,
  }));
  const words = { feedback, preserve, context, comments };
  const made = await requestRevision(cli, work.value, { words, view: view.value });
  if (!made.ok) return refused(made.failure, work.value);
  const { id } = made.value.session;
  const gone = await goOn(cli, made.value, { isStopped: false });
  if (!gone.ok) return refused(gone.failure, work.value);
  const { used, max } = view.value.requested;
  const session = work.value.found.session.id;
  const data = { session, revision: id, state: "REVISION_REQUESTED", diffId: work.value.diffId };
  return said(
    `Revision ${id} runs, ${String(used + 1)} of ${String(max)}. Next: work_status with waitSeconds.`,
    { ...data, requested: { used: used + 1, max } },
  );
}

/** Puts on record that finished work is right. */
export async function approveChanges(
  cli: ToolCli,
  { diffId }: ToolInput<"approveChanges">,
): Promise<Answer> {
  const work = await readWork(cli, { diffId });
  if (!work.ok) return refused(work.failure);
  const approved = await approveWork(cli, work.value);
  if (!approved.ok) return refused(approved.failure, work.value);
  const { id } = work.value.found.session;
  const now = work.value.diffId ?? diffId;
  const isTaken = work.value.state.human.closed !== undefined;
  const then = isTaken
    ? "Its work was taken"
    : `To have it taken, ask the user to run: wisp done ${id}`;
  return said(`${now} is approved of. ${then}`, {
    session: id,
    state: "APPROVED",
    diffId: now,
    isNew: approved.value.isNew,
  });
}

/** Gives the work up for good. */
export async function rejectChanges(
  cli: ToolCli,
  { diffId }: ToolInput<"rejectChanges">,
): Promise<Answer> {
  const work = await readWork(cli, { diffId });
  if (!work.ok) return refused(work.failure);
  const rejected = await rejectWork(cli, work.value);
  if (!rejected.ok) return refused(rejected.failure, work.value);
  const { branch, torn } = rejected.value;
  const kept = [branch.ref, ...torn.rescues].filter((ref) => ref !== undefined);
  const text = rejectedText(work.value.found, rejected.value);
  // To have it back is for a person.
  return said(text.replaceAll(/^( {2}back +)git /gmu, "$1ask the user to run: git "), {
    session: work.value.found.session.id,
    state: "REJECTED",
    diffId: work.value.diffId,
    kept,
  });
}
