import { EXIT } from "../../base/exit-code.ts";
import { fail, ok } from "../../base/result.ts";
import type { Cli, Outcome } from "../../terminal/cli.ts";
import type { FinishedWork } from "../../workspace/finished/finished-work.ts";
import { draftRequested, type RevisionWords } from "../../actions/revise/request-revision.ts";
import { refusedDecision } from "../../actions/close/review-decision.ts";
import type { ReviewView } from "../../views/review/review-view.ts";
import { count } from "../../base/words/sentence.ts";
import type { ReviewState } from "../../session/rules/review-machine.ts";
import { shellWord } from "../../base/words/shell-word.ts";

/** What `wisp review --json` prints about a decision; fields are added, never renamed or removed. */
export interface ReviewedView {
  readonly schema: "wisp.reviewed/1";
  /** Nothing was recorded, and `state` is the present one. */
  readonly isDryRun: boolean;
  readonly session: string;
  readonly state: ReviewState;
  readonly diffId: string | undefined;
  /** The session of the requested revision. */
  readonly revision?: string;
  /** For rejected work: references that keep its commits. */
  readonly kept?: readonly string[];
  /** The next commands. */
  readonly next: readonly string[];
}

/** Shows what an approval or a rejection would do, if the work can be approved or rejected now. */
export async function sayDecision(
  cli: Cli,
  work: FinishedWork,
  { by, json }: { readonly by: "approve" | "reject"; readonly json: boolean },
): Promise<Outcome> {
  const refused = await refusedDecision(cli, work, by);
  if (refused !== undefined) return fail(refused);
  const { id, branch } = work.found.session;
  const { diffId = id } = work;
  const text =
    by === "approve"
      ? `Would approve ${diffId}.`
      : `Would reject the work of ${id} for good, remove its clones, and put its branch ${shellWord(branch)} away; its commits stay under refs/wisp/rescue/.`;
  return say(cli, work, { text, json });
}

/** Shows what a requested revision would be about. */
export async function sayRequest(
  cli: Cli,
  work: FinishedWork,
  {
    words,
    view,
    json,
  }: { readonly words: RevisionWords; readonly view: ReviewView; readonly json: boolean },
): Promise<Outcome> {
  const draft = await draftRequested(cli, work, { words, view });
  const { id } = work.found.session;
  const tasks = draft.plan.plan.milestones.flatMap((milestone) => milestone.tasks);
  const { used, max } = view.requested;
  const what = `Would request a revision of ${id} (${String(used + 1)} of ${String(max)}) with ${count(tasks.length, "criterion")}`;
  const rows = tasks.map((task) => `  - ${task}`);
  const text = [`${what.replace(/criterions$/u, "criteria")}:`, ...rows].join("\n");
  return say(cli, work, { text, json });
}

/** The object states where the work stays. */
function say(
  { terminal }: Cli,
  { found, stage, diffId }: FinishedWork,
  { text, json }: { readonly text: string; readonly json: boolean },
): Outcome {
  terminal.err(text);
  terminal.err("Nothing was done.");
  const session = found.session.id;
  const what = { session, state: stage, diffId };
  const view: ReviewedView = { schema: "wisp.reviewed/1", isDryRun: true, ...what, next: [] };
  if (json) terminal.out(JSON.stringify(view, undefined, 2));
  return ok(EXIT.ok);
}
