import { randomUUID } from "node:crypto";
import { need } from "../../base/fatal.ts";
import { Usage } from "../../workspace/usage.ts";
import { EXIT } from "../../base/exit-code.ts";
import type { Refusal } from "../../base/failure.ts";
import { fail, ok, type Result } from "../../base/result.ts";
import { pagedDiff } from "../../git/repository/diffs.ts";
import { gitContext } from "../../workspace/world.ts";
import type { Cli, Outcome } from "../../terminal/cli.ts";
import { confirm } from "../../actions/confirm.ts";
import { readWork, type FinishedWork } from "../../workspace/finished/finished-work.ts";
import { releaseIdle } from "../../actions/up/hibernate.ts";
import { showRows } from "../../terminal/show-view.ts";
import { warnCheckedOut } from "../../actions/revise/warn-checked-out.ts";
import { requestRevision } from "../../actions/revise/request-revision.ts";
import { approveWork, rejectWork } from "../../actions/close/review-decision.ts";
import { sayDecision, sayRequest, type ReviewedView } from "./review-dry-run.ts";
import { readComments } from "../../actions/revise/review-feedback.ts";
import { rejectedText } from "../../actions/close/rejected-text.ts";
import { reviewRows } from "../../views/review/review-rows.ts";
import {
  rangeSince,
  reviewDiff,
  reviewView,
  type PrintedReview,
  type ReviewView,
} from "../../views/review/review-view.ts";
import { shellWord } from "../../base/words/shell-word.ts";

export interface ReviewOptions {
  readonly session: string | undefined;
  /** The version that was reviewed: nothing is done if the work has changed since. */
  readonly diffId?: string | undefined;
  readonly approve: boolean;
  readonly reject: boolean;
  /** The feedback of the requested revision. */
  readonly requestRevision?: string | undefined;
  /** Arguments of `--comment`, in order. */
  readonly comment: readonly string[];
  readonly context?: string | undefined;
  readonly preserve: boolean;
  /** Whether the revision runs immediately. */
  readonly start: boolean;
  readonly detach: boolean;
  readonly plain: boolean;
  /** Confirmed in advance. */
  readonly yes: boolean;
  /** Only show what would be done. */
  readonly dryRun: boolean;
  /** Line counts instead of the diff. */
  readonly stat: boolean;
  /** Make a work tree in which a person can try the work. */
  readonly checkout: boolean;
  /** Where; by default beside the repository. */
  readonly into?: string | undefined;
  readonly json: boolean;
}

/** `wisp review`: shows finished work, and records what a person decides about it. */
export async function review(cli: Cli, options: ReviewOptions): Promise<Outcome> {
  const problem = problemOf(options);
  if (problem !== undefined) return fail(Usage({ problem }));
  const work = await readWork(cli, options);
  const { json } = options;
  if (options.approve || options.reject) {
    const by = options.approve ? "approve" : "reject";
    if (options.dryRun) return sayDecision(cli, work, { by, json });
    return by === "approve" ? approve(cli, work, options) : reject(cli, work, options);
  }
  if (options.checkout) {
    return (await import("./review-checkout.ts")).checkOutWork(cli, work, options);
  }
  const view = await reviewView(cli, work);
  const isRequested = options.requestRevision !== undefined || options.comment.length > 0;
  if (isRequested) return request(cli, work, { view, options });
  const shown = await show(cli, work, { view, options });
  await releaseIdle(cli, [work.found]);
  return shown;
}

function problemOf({ approve, reject, ...options }: ReviewOptions): string | undefined {
  const isRequested = options.requestRevision !== undefined || options.comment.length > 0;
  const words = [approve, reject, isRequested].filter((isSaid) => isSaid);
  if (words.length > 1)
    return "--approve, --reject and --request-revision exclude one another: use only one of them";
  if (options.into !== undefined && !options.checkout) return "--into needs --checkout";
  if (options.checkout && (words.length > 0 || options.dryRun))
    return "--checkout only gives you the work to try: decide about it with another command";
  return options.context !== undefined && !isRequested
    ? "--context needs --request-revision"
    : undefined;
}

interface Viewed {
  readonly view: ReviewView;
  readonly options: ReviewOptions;
}

/** On a terminal, the diff opens in the person's pager. */
async function show(cli: Cli, work: FinishedWork, { view, options }: Viewed): Promise<Outcome> {
  const { terminal, host } = cli;
  if (options.json) {
    const diff = options.stat ? undefined : await reviewDiff(cli, work);
    const printed: PrintedReview = { ...view, ...diff };
    terminal.out(JSON.stringify(printed, undefined, 2));
    return ok(EXIT.ok);
  }
  showRows(terminal, reviewRows(view));
  const range = rangeSince(work, work.found.session.base);
  if (options.stat || range === undefined) return ok(EXIT.ok);
  if (!terminal.isInteractive) {
    const diff = await reviewDiff(cli, work);
    const { diff: text, cutChars } = diff;
    terminal.out(`\n${text.trimEnd()}`);
    if (cutChars > 0) terminal.err(`The diff was cut: ${String(cutChars)} more characters.`);
    return ok(EXIT.ok);
  }
  const paged = pagedDiff(gitContext(cli), range);
  const shown = await host.processes.attach({
    ...paged,
    cwd: range.directory,
    runId: randomUUID(),
  });
  return shown.ok ? ok(EXIT.ok) : shown;
}

/** The fields that every decision's object begins with. */
const REVIEWED = { schema: "wisp.reviewed/1", isDryRun: false } as const;

function sayReviewed({ terminal }: Cli, view: ReviewedView): void {
  terminal.out(JSON.stringify(view, undefined, 2));
}

async function approve(cli: Cli, work: FinishedWork, { json }: ReviewOptions): Promise<Outcome> {
  const approved = await approveWork(cli, work);
  const { id } = work.found.session;
  const { diffId = id } = work;
  const isTaken = work.state.human.closed !== undefined;
  const next = isTaken ? `wisp review ${shellWord(id)}` : `wisp done ${shellWord(id)}`;
  const what = approved.isNew ? "is approved" : "was already approved";
  const then = isTaken ? ` and shipped. To see where it is: ${next}` : `. To ship it: ${next}`;
  if (json) {
    sayReviewed(cli, { ...REVIEWED, session: id, state: "APPROVED", diffId, next: [next] });
  } else cli.terminal.out(`${diffId} ${what}${then}`);
  return ok(EXIT.ok);
}

async function reject(cli: Cli, work: FinishedWork, options: ReviewOptions): Promise<Outcome> {
  const { id } = work.found.session;
  need(
    await confirm(cli, {
      isSure: options.yes,
      question:
        `Reject the work of ${id}? This is permanent: its branch is put away, and the session cannot continue. ` +
        "To have it changed instead: --request-revision. [y/N] ",
      command: `wisp review ${shellWord(id)} --reject --yes`,
    }),
  );
  const rejected = await rejectWork(cli, work);
  const { branch, torn } = rejected;
  if (options.json) {
    const { diffId } = work;
    const kept = [branch?.ref, ...torn.rescues].filter((ref) => ref !== undefined);
    sayReviewed(cli, { ...REVIEWED, session: id, state: "REJECTED", diffId, kept, next: [] });
  } else cli.terminal.out(rejectedText(work.found, rejected));
  return ok(EXIT.ok);
}

async function request(cli: Cli, work: FinishedWork, { view, options }: Viewed): Promise<Outcome> {
  const comments = readComments(options.comment);
  const { requestRevision: feedback = "", context, preserve } = options;
  const words = { feedback, context, preserve, comments };
  await warnCheckedOut(cli, work.found);
  if (options.dryRun) return sayRequest(cli, work, { words, view, json: options.json });
  const made = await requestRevision(cli, work, { words, view });
  const { id } = made.session;
  const { used, max } = view.requested;
  cli.terminal.err(
    `Requested revision ${id} (${String(used + 1)} of ${String(max)}), files in ${made.home.directory}`,
  );
  if (!options.start) cli.terminal.err(`To run it: wisp up ${shellWord(id)}`);
  const ended = options.start ? await run(cli, made, options) : ok(EXIT.ok);
  // A failure has already printed an object.
  if (ended.ok && options.json) {
    const { diffId } = view;
    const decision = { session: work.found.session.id, state: "REVISION_REQUESTED" } as const;
    const next = [`wisp up ${id}`];
    sayReviewed(cli, { ...REVIEWED, ...decision, revision: id, diffId, next });
  }
  return ended;
}

async function run(
  cli: Cli,
  made: Parameters<typeof rejectedText>[0],
  { detach, plain, json }: ReviewOptions,
): Promise<Result<number, Refusal>> {
  const { runNew } = await import("./up.ts");
  const isAlone = detach || json || !cli.terminal.isInteractive;
  return runNew(cli, made, { detach: isAlone, plain });
}
