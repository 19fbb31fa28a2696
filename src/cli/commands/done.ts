import { closeSession } from "../../actions/close/close-session.ts";
import { join } from "node:path";
import { shareBudget } from "../../actions/fleet/share-budget-left.ts";
import { CannotGoOn, need } from "../../base/fatal.ts";
import { RevisionUnfinished } from "../../actions/revise/revision-failures.ts";
import { EXIT } from "../../base/exit-code.ts";
import type { MeanwhileFact } from "../../fs-protocol/records/meanwhile-record.ts";
import type { Unusual } from "../../evidence/unusual/find-unusual.ts";
import type { Oid } from "../../base/oid.ts";
import { ok } from "../../base/result.ts";
import { shellWord } from "../../base/words/shell-word.ts";
import { newRequestPage, remoteUrl } from "../../git/remote/remotes.ts";
import { sessionClosed } from "../../workspace/session/append-human.ts";
import { gitContext } from "../../workspace/world.ts";
import type { Cli, Outcome } from "../../terminal/cli.ts";
import { confirmCommands } from "../../actions/close/confirm-commands.ts";
import { unfinishedRevision } from "../../actions/revise/create-revision.ts";
import { showView } from "../../terminal/show-view.ts";
import { doneRows, type DoneView } from "../../views/review/done-view.ts";
import { findSession, topSession } from "../../workspace/find-session.ts";
import { leavePlace } from "../../actions/elsewhere/leave-place.ts";
import { placeHoldsLine } from "../../actions/elsewhere/place-holds.ts";
import { sayThere } from "../../actions/elsewhere/say-there.ts";
import { hasClones } from "../../workspace/has-clones.ts";
import { whyNotShippable, unreviewedWords, NotGreen } from "../../actions/close/not-shippable.ts";
import { openPullRequest, type PullRequest } from "../../actions/close/open-pull-request.ts";
import { publishedReport } from "../../actions/close/published-report.ts";
import {
  chooseRemote,
  checkBeforePush,
  needShippedHere,
  pushBranch,
} from "../../actions/close/push-branch.ts";
import { pullRequestText, type PullRequestText } from "../../views/review/pull-request-text.ts";
import { readPresence } from "../../workspace/session/read-leases.ts";
import { readFamilyFacts } from "../../views/status/read-status.ts";
import { readState } from "../../workspace/session/read-state.ts";
import { readRemoteSeen } from "../../workspace/finished/read-remote-seen.ts";
import { readSensitiveChanges } from "../../workspace/finished/read-sensitive-changes.ts";
import { readUnusual } from "../../workspace/finished/read-unusual.ts";
import type { SensitiveChange } from "../../workspace/finished/sensitive-changes.ts";
import { lastEndOf } from "../../session/state/stage.ts";
import { endOf } from "../../session/state/end-in-force.ts";
import { allow } from "../../workspace/session/session-stage.ts";
import { readRevisedWork, withRevisions } from "../../views/review/revised-work.ts";
import type { FoundSession } from "../../workspace/sessions.ts";
import { statusView, type StatusView } from "../../views/status/status-view.ts";
import {
  doneOf,
  leftToDo,
  type LeftToDo,
  type ShippedBefore,
} from "../../workspace/finished/shipped-before.ts";
import { verifiedAt, type Looked } from "../../workspace/finished/verified-at.ts";
import { verifyOutcome, type VerifyOutcome } from "../../views/review/verify-outcome.ts";
import { runPrePush, type PrePush } from "../../actions/close/run-pre-push.ts";
import { tellHeld } from "../../actions/close/held-clone.ts";
import { tearDown } from "../../actions/close/tear-down.ts";

export interface DoneOptions {
  readonly session: string | undefined;
  /** The remote to push to; by default the one in the settings, else `origin`, else the only one. */
  readonly remote?: string | undefined;
  /** The branch to merge it into; by default gh's choice. */
  readonly base?: string | undefined;
  readonly push: boolean;
  readonly pr: boolean;
  /** False: the person's pre-push hook is not run. */
  readonly verify: boolean;
  /** Confirmed in advance. */
  readonly yes: boolean;
  readonly dryRun: boolean;
  readonly json: boolean;
}

/**
 * `wisp done`: ships a complete session. Pushes its branch, opens a pull request
 * written from the record, keeps the notes on where it diverged from the request, and removes the clones. Each step
 * checks whether it was done before, so a `done` that was killed can be run again.
 */
export async function done(cli: Cli, options: DoneOptions): Promise<Outcome> {
  const named = need(findSession(cli.host.files, cli.cwd, options.session));
  // A revision's work is part of its parent's.
  const found = need(topSession(cli.host.files, cli.cwd, named));
  needShippedHere(cli, found);
  const work = await readWork(cli, found);
  const { head, view, before, text, verify, looked, sensitive, unusual, meanwhile } = work;
  const remote = options.push ? await chooseRemote(cli, found.session, options.remote) : undefined;
  const wanted = { remote, pr: options.pr, hasClones: hasClones(cli, found) };
  const left = leftToDo(wanted, before);
  if (remote !== undefined && left.push)
    await checkBeforePush(cli, found.session, { remote, head });
  need(options.dryRun ? ok(undefined) : await confirmCommands(cli, found, view, options));
  const shipping = { head, text, verify, looked, sensitive, unusual, meanwhile };

  const plan = { cli, found, options, ...shipping, remote, before, left };
  const taken = options.dryRun ? PLANNED : await ship(plan);
  if (!options.dryRun) await shareBudget(cli, found);
  const shipped = await doneView(plan, view, taken);
  showView(cli.terminal, { json: options.json, view: shipped, rows: () => doneRows(shipped) });
  return ok(EXIT.ok);
}

interface Work {
  readonly head: Oid;
  /** The record of the shipping, if exactly this work was shipped before. */
  readonly before: ShippedBefore | undefined;
  readonly view: StatusView;
  readonly text: PullRequestText;
  readonly verify: VerifyOutcome;
  readonly looked: Looked | undefined;
  readonly sensitive: readonly SensitiveChange[];
  readonly unusual: readonly Unusual[];
  readonly meanwhile: readonly MeanwhileFact[];
}

/** What there is to ship: only work that is complete and has not moved since. */
async function readWork(cli: Cli, found: FoundSession): Promise<Work> {
  const { host } = cli;
  const { session, home } = found;
  const read = need(await readState(cli, found));
  const { state } = read;
  const { closed } = state.human;
  if (closed !== undefined && closed.how !== "done")
    throw new CannotGoOn(sessionClosed(session.id, closed));
  const unfinished = await unfinishedRevision(cli, found);
  if (unfinished !== undefined) {
    const revision = unfinished.session.id;
    throw new CannotGoOn(RevisionUnfinished({ session: session.id, revision }));
  }
  const revised = need(await readRevisedWork(cli, found));
  const presence = await readPresence(host, home);
  const family = await readFamilyFacts(cli, found);
  const remoteSeen = await readRemoteSeen(cli, found, state);
  const nowMs = host.clock.nowMs();
  const own = statusView({ ...found, ...read, ...family, remoteSeen, ...presence, nowMs });
  const view = withRevisions(own, state, revised);
  // Shipped work may have been revised since: then it is shipped again.
  const isTaken = closed !== undefined && view.isRevisedSince !== true;
  const end = closed === undefined ? endOf(state) : lastEndOf(state.builder);
  const head = isTaken ? closed.at : state.branch.head;
  const allowed = allow("hand-in", { id: session.id, state, nowMs: host.clock.nowMs() });
  const problems = isTaken ? [] : whyNotShippable(view, end, allowed);
  if (problems.length > 0 || head === undefined) {
    const { next } = own;
    throw new CannotGoOn(NotGreen({ session: session.id, problems, next }));
  }
  const sensitive = need(await readSensitiveChanges(cli, session, head));
  const unusual = await readUnusual(cli, found, { state, head });
  const facts = {
    session,
    state,
    view,
    revisions: revised,
    request: textAt(cli, home.request),
    changes: textAt(cli, join(home.directory, "CHANGES.md")),
    sensitive,
    unusual,
    report: await publishedReport(cli, found),
  };
  const before = isTaken ? { ...closed, isMerged: family.taken?.isMerged === true } : undefined;
  const newest = revised.at(-1)?.state ?? state;
  const verify = verifyOutcome(newest);
  const looked = verifiedAt([newest])?.looked;
  const text = pullRequestText(facts);
  const meanwhile = [read, ...revised].flatMap(({ troubles }) => troubles.meanwhile);
  return { head, view, before, text, verify, looked, sensitive, unusual, meanwhile };
}

function textAt({ host }: Cli, path: string): string {
  const text = host.files.read(path);
  return text.ok ? Buffer.from(text.value ?? []).toString("utf8") : "";
}

interface Plan {
  readonly cli: Cli;
  readonly found: FoundSession;
  readonly options: DoneOptions;
  readonly head: Oid;
  readonly text: PullRequestText;
  readonly verify: VerifyOutcome;
  readonly looked: Looked | undefined;
  readonly sensitive: readonly SensitiveChange[];
  readonly unusual: readonly Unusual[];
  readonly meanwhile: readonly MeanwhileFact[];
  readonly remote: string | undefined;
  readonly before: ShippedBefore | undefined;
  readonly left: LeftToDo;
}

interface Taken {
  readonly hook?: PrePush | undefined;
  readonly pullRequest: PullRequest | undefined;
  readonly changes: string | undefined;
  readonly rescues: readonly string[];
  readonly left: readonly string[];
}

const PLANNED: Taken = { pullRequest: undefined, changes: undefined, rescues: [], left: [] };

/** In this order: everything that can fail for outside reasons comes before anything is removed. */
async function ship(plan: Plan): Promise<Taken> {
  const { cli, found, options, head, remote, text, meanwhile, left: toDo } = plan;
  let hook: PrePush | undefined;
  if (remote !== undefined && toDo.push) {
    hook = await runPrePush(cli, found, { ...options, remote, head, meanwhile });
    await pushBranch(cli, found, { remote, head });
  }
  const pullRequest = toDo.pullRequest
    ? need(await openPullRequest(cli, found.session, { ...text, base: options.base }))
    : undefined;
  const url =
    pullRequest === undefined || pullRequest.kind === "by-hand" ? undefined : pullRequest.url;
  const changes = keepChanges(plan);
  const word = {
    ...{ kind: "done" as const, at: head },
    ...(remote === undefined ? {} : { remote }),
    ...(url === undefined ? {} : { url }),
  };
  const taken = { hook, pullRequest, changes };
  if (found.mirrors === undefined) await closeSession(cli, found, word);
  else if (!(await closeThere(cli, found, word))) return { ...taken, rescues: [], left: [] };
  const { rescues, left, held } = await tearDown(cli, found);
  tellHeld(cli, held);
  return { ...taken, rescues, left };
}

/** Records it where the session ran, and brings what is left of it home; whether all of it is here now. */
async function closeThere(
  cli: Cli,
  found: FoundSession,
  { at, remote, url }: { readonly at: Oid; readonly remote?: string; readonly url?: string },
): Promise<boolean> {
  const { id } = found.session;
  await sayThere(cli, found, [
    ...["far", "close", id, `--at=${at}`],
    ...(remote === undefined ? [] : [`--remote=${remote}`]),
    ...(url === undefined ? [] : [`--url=${url}`]),
  ]);
  const stays = await leavePlace(cli, found, { again: `wisp done ${shellWord(id)}` });
  if (stays !== undefined) cli.tell(placeHoldsLine(stays));
  return stays === undefined;
}

/** Copies the notes on where the work diverged from the request to where the user keeps them. */
function keepChanges({ cli, found }: Plan): string | undefined {
  const { home, session } = found;
  const read = need(cli.host.files.read(join(home.directory, "CHANGES.md")));
  if (read === undefined || read.length === 0) return undefined;
  const path = join(session.repository, ".wisp", `${session.id}-changes.md`);
  need(cli.host.files.replace(path, read));
  return path;
}

async function doneView(
  { cli, found, options, head, text, verify, remote, before, left: toDo, ...work }: Plan,
  view: StatusView,
  { hook, pullRequest, changes, rescues, left }: Taken,
): Promise<DoneView> {
  const { repository: directory, branch, id } = found.session;
  const url =
    remote === undefined ? undefined : await remoteUrl(gitContext(cli), { directory, remote });
  const isOpened = pullRequest !== undefined && pullRequest.kind !== "by-hand";
  // For work shipped before, only what is left to do is opened.
  const isByHand = options.pr && !isOpened && (before === undefined || toDo.pullRequest);
  return {
    schema: "wisp.done/1",
    session: id,
    branch,
    head,
    isDryRun: options.dryRun,
    takenBefore: before?.time,
    leftToDo: before && doneOf(toDo, isByHand && !options.dryRun),
    later: view.laterCommits === 0 ? undefined : unreviewedWords(view),
    isMerged: before?.isMerged,
    remote: remote ?? before?.remote,
    hook: hook === undefined || hook.kind === "none" ? undefined : hook.kind,
    hookSays: hook?.kind === "not-run" ? hook.why : undefined,
    remoteSays: options.dryRun ? view.remote?.says : undefined,
    pullRequest: pullRequest?.kind === "by-hand" ? undefined : (pullRequest?.url ?? before?.url),
    /** For a person to open. */
    page: isByHand && url !== undefined ? newRequestPage(url, branch) : undefined,
    title: text.title,
    body: text.body,
    isBodyShown: (options.dryRun && before === undefined) || isByHand,
    milestones: view.milestones.length,
    ...{ verify, differs: view.differs, meanwhile: view.meanwhile },
    ...work.looked,
    nothingVerified: verify === "none" ? true : undefined,
    revisions: view.revised,
    sensitive: work.sensitive,
    unusual: work.unusual,
    edits: view.edits,
    changes,
    rescues,
    left,
  };
}
