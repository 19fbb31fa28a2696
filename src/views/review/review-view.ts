import { need } from "../../base/fatal.ts";
import { REVIEW_DIFF_CHARS_MAX } from "../../base/limits.ts";
import type { Oid } from "../../base/oid.ts";
import type { GitFailure } from "../../base/ports/repo.ts";
import { ok, type Result } from "../../base/result.ts";
import { requestedMax } from "../../fs-protocol/home/policy.ts";
import { hasBegun, isOver, type ReviewState } from "../../session/rules/review-machine.ts";
import { commandsInForce, replacedIn } from "../../session/commands/commands-in-force.ts";
import type { SessionJson } from "../../fs-protocol/home/session-json.ts";
import { placeOf } from "../../session/state/session-state.ts";
import {
  type ChangedFile,
  changedFiles,
  type CommitRange,
  type RangeCommit,
  rangeCommits,
  rangeDiff,
} from "../../git/repository/diffs.ts";
import { gitContext, type World } from "../../workspace/world.ts";
import { closedSentences } from "../next/closed-sentences.ts";
import type { ClosedView } from "../next/closed-view.ts";
import { spentBy } from "../cost/cost-view.ts";
import {
  partsOf,
  type FinishedWork,
  type ReadSession,
} from "../../workspace/finished/finished-work.ts";
import { laterCommits } from "../../workspace/finished/later-commits.ts";
import { openItems, type OpenItem } from "../status/open-items.ts";
import { titleOf } from "./pull-request-text.ts";
import { readStatus } from "../status/read-status.ts";
import { readRemoteSeen } from "../../workspace/finished/read-remote-seen.ts";
import { remoteStatus } from "../status/remote-status.ts";
import { endOf } from "../../session/state/end-in-force.ts";
import { isDoneUnverified } from "../../session/rules/nothing-verified.ts";
import { shellWord } from "../../base/words/shell-word.ts";
import type { StatusView } from "../status/status-view.ts";
import { verifiedAt, verifiedWords, type Looked } from "../../workspace/finished/verified-at.ts";

/** A revision of the work and its result. */
export interface RevisionView {
  readonly session: string;
  readonly revision: number;
  /** `requested` by a review, or made by a person with `wisp revise`. */
  readonly how: "revise" | "requested";
  /** The general feedback and the comments on lines. */
  readonly asked: readonly string[];
  readonly state: "open" | "complete" | "closed";
  readonly base: Oid;
  readonly head: Oid | undefined;
  readonly commits: number;
  readonly files: readonly ChangedFile[];
  /** How many engine turns it took. */
  readonly turns: number;
}

/** What is known about finished work, for a review; fields are added, never renamed or removed. */
export interface ReviewView {
  readonly schema: "wisp.review/1";
  readonly session: string;
  readonly state: ReviewState;
  /** Identifies the diff under review; absent when the branch is gone. */
  readonly diffId: string | undefined;
  readonly title: string;
  readonly branch: string;
  readonly base: Oid;
  readonly head: Oid | undefined;
  readonly approvedAt: Oid | undefined;
  readonly milestones: readonly { readonly name: string; readonly tasks: number }[];
  readonly commits: readonly RangeCommit[];
  readonly files: readonly ChangedFile[];
  readonly findings: {
    readonly closed: number;
    readonly open: readonly (OpenItem & { readonly session: string })[];
  };
  /** Unreviewed commits that were added to finished work, and the last reviewed commit. */
  readonly laterCommits: number;
  readonly reviewedTo: Oid | undefined;
  /** The verify commands, their last outcome, and the commit that they ran at. */
  readonly verify: {
    readonly commands: readonly (readonly string[])[];
    readonly outcome: "passed" | "failed" | undefined;
    readonly at: Oid | undefined;
    readonly says: string;
    /** See `Looked`. */
    readonly looks?: Looked["looks"];
    readonly split?: Looked["split"];
  };
  /** See `StatusView`; of the newest part of the work that is complete. */
  readonly nothingVerified?: true | undefined;
  /** See `StatusView`. */
  readonly differs?: StatusView["differs"];
  /** See `StatusView`. */
  readonly meanwhile?: StatusView["meanwhile"];
  readonly sensitive: StatusView["sensitive"];
  readonly unusual: StatusView["unusual"];
  /** How a person closed the session, and sentences that say where its work is and what is left to do. */
  readonly closed: ClosedView | undefined;
  readonly closedSays: readonly string[];
  /** What is known about a remote that the work should be at but is not. */
  readonly remoteSays?: string | undefined;
  readonly revisions: readonly RevisionView[];
  /** How many revisions reviews have requested, and how many they may request. */
  readonly requested: { readonly used: number; readonly max: number };
  /** Commands that make sense now, the best one first. */
  readonly next: readonly string[];
}

/** The diff of the work as text, truncated to the longest allowed answer. */
export interface ReviewDiff {
  readonly diff: string;
  /** How many characters of it were left out at the end. */
  readonly cutChars: number;
}

/** What `wisp review --json` prints: without `--stat`, with the diff. */
export interface PrintedReview extends ReviewView, Partial<ReviewDiff> {
  /** With `--checkout`: the work tree that has the work. `isNew`: it was made now, and not moved to this commit. */
  readonly checkout?: {
    readonly directory: string;
    readonly head: string;
    readonly isNew: boolean;
  };
}

/** Everything that a review covers, except the diff. */
export async function reviewView(world: World, work: FinishedWork): Promise<ReviewView> {
  const { found, state, head } = work;
  const { session, home } = found;
  const { id, branch, base } = session;
  const range = rangeSince(work, base);
  const read =
    range &&
    (await Promise.all([
      rangeCommits(gitContext(world), range),
      changedFiles(gitContext(world), range),
    ]));
  const commits = read === undefined ? [] : need(read[0]);
  const files = read === undefined ? [] : need(read[1]);
  const revisions = need(await revisionViews(world, work));
  const asked = world.host.files.read(home.request);
  const request = asked.ok ? Buffer.from(asked.value ?? []).toString("utf8") : "";
  const status = need(await readStatus(world, found));
  const { view } = status;
  const later = laterCommits(partsOf(work));
  return {
    schema: "wisp.review/1",
    ...{ session: id, state: work.stage, diffId: work.diffId },
    title: titleOf({ request, session }),
    ...{ branch, base, head, approvedAt: state.human.approvedAt },
    milestones: state.builder.plan.map(({ name, tasks }) => ({ name, tasks: tasks.length })),
    ...{ commits: commits, files: files },
    findings: findingsOf(work),
    ...{ laterCommits: later.count, reviewedTo: later.after },
    verify: verifyOf(work),
    nothingVerified: isUnverified(work) ? true : undefined,
    ...{ differs: view.differs, meanwhile: view.meanwhile },
    ...{ sensitive: view.sensitive, unusual: view.unusual },
    closed: view.closed,
    closedSays: view.closed === undefined ? [] : closedSentences(view).map(({ text }) => text),
    remoteSays: remoteStatus(session, state, await readRemoteSeen(world, found, state))?.says,
    revisions,
    requested: { used: requestedBy(work), max: requestedMax(session.policy) },
    next: nextSteps(work, view),
  };
}

/** How many revisions reviews have requested. An abandoned revision counts too, unless it never started. */
export function requestedBy({ revisions }: Pick<FinishedWork, "revisions">): number {
  const isUsed = ({ state }: ReadSession) => state.human.closed === undefined || hasBegun(state);
  return revisions.filter((one) => one.found.session.parent?.how === "requested" && isUsed(one))
    .length;
}

/** Reads the diff of the work. */
export async function reviewDiff(world: World, work: FinishedWork): Promise<ReviewDiff> {
  const range = rangeSince(work, work.found.session.base);
  const whole = need(range === undefined ? ok("") : await rangeDiff(gitContext(world), range));
  const diff = whole.slice(0, REVIEW_DIFF_CHARS_MAX);
  return { diff, cutChars: whole.length - diff.length };
}

/** The range from a commit to the branch's head. */
export function rangeSince({ found, head }: FinishedWork, base: Oid): CommitRange | undefined {
  return head === undefined ? undefined : { directory: found.session.repository, base, head };
}

function findingsOf({ found, state, revisions }: FinishedWork): ReviewView["findings"] {
  const all: readonly ReadSession[] = [{ found, state }, ...revisions];
  const open = all.flatMap((one) =>
    openItems(one.state).map((item) => ({ ...item, session: one.found.session.id })),
  );
  const known = all.reduce(
    (sum, one) => sum + one.state.reviewer.items.size + one.state.tester.items.size,
    0,
  );
  return { closed: known - open.length, open };
}

async function revisionViews(
  world: World,
  work: FinishedWork,
): Promise<Result<readonly RevisionView[], GitFailure>> {
  const views: RevisionView[] = [];
  for (const [index, { found, state }] of work.revisions.entries()) {
    const { session } = found;
    // Commits after that point belong to the next revision.
    const next = work.revisions[index + 1]?.found.session;
    const head = next === undefined ? work.head : beganAt(next);
    const base = beganAt(session);
    const range = { directory: session.repository, base };
    const files =
      head === undefined ? ok([]) : await changedFiles(gitContext(world), { ...range, head });
    if (!files.ok) return files;
    const { branch } = state;
    const end = head === undefined ? branch.commits.length : placeOf(branch, head);
    views.push({
      session: session.id,
      revision: session.parent?.revision ?? index + 1,
      how: session.parent?.how ?? "revise",
      asked: session.parent?.asked ?? [],
      state: state.human.closed !== undefined ? "closed" : isOver(state) ? "complete" : "open",
      ...{ base, head },
      commits: end - placeOf(branch, base),
      files: files.value,
      turns: spentBy(state).turns,
    });
  }
  return ok(views);
}

/** The branch's head when a revision was created; commits that were unreviewed then come before it. */
function beganAt({ base, parent }: SessionJson): Oid {
  return parent?.began ?? base;
}

function isUnverified(work: FinishedWork): boolean {
  const newest = partsOf(work).findLast(({ state }) => endOf(state)?.how === "complete");
  return newest !== undefined && isDoneUnverified(newest.state);
}

function verifyOf(work: FinishedWork): ReviewView["verify"] {
  const last = verifiedAt(partsOf(work).map(({ state }) => state));
  const { outcome, at, looked } = last ?? {};
  return {
    ...{ commands: verifyInForce(work), outcome, at, ...looked },
    says: verifiedWords(last, work.head),
  };
}

/** The commands of the newest part of the work, as they are in force there. */
function verifyInForce(work: FinishedWork): ReviewView["verify"]["commands"] {
  const { found, state } = work.revisions.at(-1) ?? work;
  return commandsInForce(found.session, replacedIn(found.session, state)).verify;
}

/**
 * The next commands of the status, with the options of `wisp review` in place of the plain commands for finished work.
 * A revision request is offered before a rejection.
 */
function nextSteps(work: FinishedWork, { next }: StatusView): readonly string[] {
  const { found, stage } = work;
  const id = shellWord(found.session.id);
  if (stage !== "PENDING_REVIEW") return next.length > 0 ? next : [`wisp status ${id}`];
  const isSpent = requestedBy(work) >= requestedMax(found.session.policy);
  const review = `wisp review ${id}`;
  const change = isSpent
    ? `wisp revise ${id}`
    : `${review} --request-revision "what has to change"`;
  // Unreviewed commits cannot be approved, and without the branch nothing can be changed either.
  const isThere = work.head !== undefined;
  const isToApprove = isThere && laterCommits(partsOf(work)).count === 0;
  const words = [
    ...(isThere ? [change] : []),
    ...(isToApprove ? [`${review} --approve`] : []),
    `${review} --reject`,
  ];
  const first = next.filter((command) => !OF_FINISHED.test(command));
  return [...first, ...words];
}

/** The commands that the status names for finished work. */
const OF_FINISHED = /^wisp (?:review|done|revise) /u;
