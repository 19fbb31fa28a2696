import { join } from "node:path";
import { CannotGoOn, need } from "../../base/fatal.ts";
import { illegalReview } from "../../workspace/finished/illegal-review.ts";
import { Usage } from "../../workspace/usage.ts";
import { EXIT } from "../../base/exit-code.ts";
import { refusal } from "../../base/failure.ts";
import { shellWord } from "../../base/words/shell-word.ts";
import { shown } from "../../base/words/shown.ts";
import { fail, type Result } from "../../base/result.ts";
import { createTemplates } from "../../work/turn/templates.ts";
import { cleanText } from "../../base/words/clean-text.ts";
import { compileRevision, type CompiledRequest } from "../../session/rules/compile-request.ts";
import { requestedMax } from "../../fs-protocol/home/policy.ts";
import { reviewTransition } from "../../session/rules/review-machine.ts";
import type { ParentSession } from "../../fs-protocol/home/session-json.ts";
import type { World } from "../../workspace/world.ts";
import { createRevision, type RevisionDraft } from "./create-revision.ts";
import { shortSha } from "../../workspace/session/describe-unit.ts";
import type { FinishedWork } from "../../workspace/finished/finished-work.ts";
import { checkFeedback, type Feedback, type FeedbackWords } from "./review-feedback.ts";
import { requestedBy, type ReviewView } from "../../views/review/review-view.ts";
import { shippedTemplates } from "../settings/reviewer-directories.ts";
import { count } from "../../base/words/sentence.ts";
import { readSession, type FoundSession } from "../../workspace/sessions.ts";
import { assert } from "../../base/assert.ts";
import { revisionHomes } from "../../fs-protocol/home/home-family.ts";
import { sayThere } from "../elsewhere/say-there.ts";
import { TurnList } from "../../views/timeline/turn-list.ts";

/** Reviews have requested as many revisions as they may. */
export const RevisionsSpent = refusal(
  "revisions-spent",
  EXIT.failure,
  ({ session, max }: { readonly session: string; readonly max: number }) => [
    `Reviews have requested ${count(max, "revision")} of ${shown(session)}, which is the limit: ` +
      "a session keeps the `revisions.requestedMax` that it started with.",
    "Plan what is left with the planner, fix it yourself, ship it as it is, or reject it:",
    `wisp revise ${shellWord(session)}`,
    `wisp attach ${shellWord(session)}`,
    `wisp done ${shellWord(session)}`,
    `wisp review ${shellWord(session)} --reject`,
  ],
);

/** A request for a revision, as given. */
export interface RevisionWords extends FeedbackWords {
  /** Whether what works is to stay as it is. */
  readonly preserve: boolean;
}

/**
 * Creates the revision that a review of finished work requests (seed 001): there is no plan to
 * agree on, since the feedback is its only item. The builder resumes the conversation in which it
 * built the work, in the same clone.
 */
export async function requestRevision(
  world: World,
  work: FinishedWork,
  { words, view }: { readonly words: RevisionWords; readonly view: ReviewView },
): Promise<FoundSession> {
  const draft = await draftRequested(world, work, { words, view });
  return work.found.mirrors === undefined
    ? createRevision(world, draft)
    : requestThere(world, work, words);
}

/** Has the wisp at the session's place create the revision, and run it; returns its mirror here. */
async function requestThere(
  world: World,
  { found, diffId }: FinishedWork,
  { feedback, comments, context, preserve }: RevisionWords,
): Promise<FoundSession> {
  await sayThere(world, found, [
    ...["review", found.session.id, `--request-revision=${feedback}`, "--detach", "--yes"],
    // The space keeps a remark that begins with a hyphen from being an option.
    ...comments.flatMap(({ place, text }) => ["--comment", place, ` ${text}`]),
    ...(context === undefined ? [] : [`--context=${context}`]),
    ...(preserve ? [] : ["--no-preserve-correct-parts"]),
    ...(diffId === undefined ? [] : ["--diff-id", diffId]),
  ]);
  const newest = need(revisionHomes(world.host.files, found.home)).at(-1);
  assert(newest !== undefined, "a revision was created, and its files were waited for");
  return need(readSession(world.host.files, newest));
}

/** The revision that a review requests, before any of it is created. */
export async function draftRequested(
  world: World,
  work: FinishedWork,
  { words, view }: { readonly words: RevisionWords; readonly view: ReviewView },
): Promise<RevisionDraft> {
  const { found } = work;
  const { id, policy } = found.session;
  const allowed = reviewTransition(work.stage, "request-revision");
  if (!allowed.ok) throw new CannotGoOn(illegalReview(id, allowed.failure));
  const max = requestedMax(policy);
  if (requestedBy(work) >= max) throw new CannotGoOn(RevisionsSpent({ session: id, max }));
  const feedback = await checkFeedback(world, found.session, words);
  const builder = builderSession(world, work);
  const texts = { feedback, preserve: words.preserve, view, work };
  const plan = need(planOf(renderRequest(world, texts, 1), feedback));
  return {
    how: "requested",
    asked: [feedback.text, ...feedback.comments].filter((text) => text !== ""),
    builder,
    preserve: words.preserve,
    parent: found,
    request: (revision) => renderRequest(world, texts, revision),
    plan,
  };
}

/** The user may have a template of their own: its result must be the one item that it is for. */
function planOf(request: string, { criteria }: Feedback): Result<CompiledRequest, Usage> {
  const plan = compileRevision(request);
  const [item, ...more] = plan.ok ? plan.value.plan.milestones : [];
  if (plan.ok && more.length === 0 && item?.tasks.length === criteria.length) return plan;
  const problem =
    "templates/revision-request.md does not give the one item RI-001 with the criteria of the feedback";
  return fail(Usage({ problem }));
}

/**
 * The newest conversation in which the work was built: of its newest revision, or else of the
 * session itself.
 */
function builderSession(
  { host }: World,
  { found, revisions }: FinishedWork,
): ParentSession["builder"] {
  const lasting = revisions.filter(({ state }) => state.human.closed === undefined);
  for (const { home } of [...lasting.toReversed().map((one) => one.found), found]) {
    const turns = new TurnList(host.files, home, ["builder"]);
    need(turns.refresh());
    const last = turns.turns.findLast(({ end }) => end?.session !== undefined);
    const session = last?.end?.session;
    if (last !== undefined && session !== undefined) {
      return { engine: last.begin.engine, session };
    }
  }
  return undefined;
}

interface RequestTexts {
  readonly feedback: Feedback;
  readonly preserve: boolean;
  readonly view: ReviewView;
  readonly work: FinishedWork;
}

function renderRequest(
  world: World,
  { feedback, preserve, view, work }: RequestTexts,
  revision: number,
): string {
  const { home, session } = work.found;
  const own = join(session.repository, ".wisp", "templates");
  return createTemplates(world.host.files, [own, shippedTemplates(world)]).render(
    "revision-request",
    {
      revision: String(revision),
      session: session.id,
      original_task: oneLine(view.title),
      original: home.request,
      feedback: quote(
        `${feedback.text}\n\n${feedback.comments.map((one) => `- ${one}`).join("\n")}`,
      ),
      preserve: preserve ? PRESERVE : REDO,
      files: listed(view.files.map(({ path }) => `\`${oneLine(path).replaceAll("`", "'")}\``)),
      summary: listed(view.commits.map(({ sha, subject }) => `${shortSha(sha)} ${subject}`)),
      focus: `${count(feedback.criteria.length, "point")} of the feedback, each an acceptance criterion below.`,
      context: feedback.context === "" ? "" : `Additional context:\n\n${quote(feedback.context)}`,
      criteria: feedback.criteria.map((criterion) => `- [ ] ${criterion}`).join("\n"),
    },
  );
}

const PRESERVE =
  "Please revise your implementation to address this feedback while preserving the parts that are working\n" +
  "correctly.";
const REDO =
  "Please revise your implementation to address this feedback. Nothing has to stay as it is: redo\n" +
  "whatever is in the way.";

/** Quotes what somebody else wrote, so that none of its headings begins an item. */
function quote(text: string): string {
  return text
    .trim()
    .split("\n")
    .map((line) => `> ${line}`)
    .join("\n");
}

const ROWS_MAX = 200;

function listed(rows: readonly string[]): string {
  const more = rows.length - ROWS_MAX;
  const first = rows.slice(0, ROWS_MAX).map((row) => `  - ${row}`);
  return [...first, ...(more > 0 ? [`  - and ${String(more)} more`] : [])].join("\n");
}

function oneLine(text: string): string {
  return cleanText(text, { charsMax: 300, lines: "one" });
}
