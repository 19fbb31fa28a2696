import { join } from "node:path";
import type { Unusual } from "../agents/unusual/find-unusual.ts";
import type { Oid } from "../base/oid.ts";
import { fail, ok, type Result } from "../base/result.ts";
import { newRequestPage, remoteUrl } from "../git/remotes.ts";
import { appendHuman, sessionClosed, type HumanWord } from "./append-human.ts";
import { gitContext, type Cli, type Outcome } from "./cli.ts";
import { confirm } from "./confirm.ts";
import { unfinishedRevision } from "./create-revision.ts";
import { doneText, type DoneView } from "./done-view.ts";
import { EXIT } from "./exit-codes.ts";
import type { CliFailure, NotGreen } from "./failures.ts";
import { findSession, topSession } from "./find-session.ts";
import { hasClones } from "./has-clones.ts";
import { inTheWay, laterSaid } from "./in-the-way.ts";
import { openPullRequest, type PullRequest } from "./open-pull-request.ts";
import { chooseRemote, lookBeforePush, pushBranch } from "./push-branch.ts";
import { pullRequestText, type PullRequestText } from "./pull-request-text.ts";
import { readLeases } from "./read-leases.ts";
import { readFamilyFacts } from "./read-status.ts";
import { readState } from "./read-state.ts";
import { readRemoteSeen } from "./read-remote-seen.ts";
import { readSensitiveChanges } from "./read-sensitive-changes.ts";
import { readUnusual } from "./read-unusual.ts";
import type { SensitiveChange } from "./sensitive-changes.ts";
import { sentence } from "./sentence.ts";
import { endOf } from "./session-end.ts";
import { allow } from "./session-stage.ts";
import { readRevisedWork, withRevisions } from "./revised-work.ts";
import type { FoundSession } from "./sessions.ts";
import { statusView, type StatusView } from "./status-view.ts";
import { doneOf, leftToDo, type LeftToDo, type TakenBefore } from "./taken-before.ts";
import { verifyOutcome, type VerifyOutcome } from "./verify-outcome.ts";
import { tearDown } from "./tear-down.ts";

export interface DoneOptions {
  readonly session: string | undefined;
  /** The remote to push to; left out: that of the settings, else `origin`, else the only one. */
  readonly remote?: string | undefined;
  /** The branch that it is to be merged into; left out: what gh chooses. */
  readonly base?: string | undefined;
  readonly push: boolean;
  readonly pr: boolean;
  /** Confirmed in advance. */
  readonly yes: boolean;
  readonly dryRun: boolean;
  readonly json: boolean;
}

/**
 * `wisp done`: takes the work of a session that is complete. Pushes its branch, opens a pull request
 * written from the record, keeps the notes on where it left the request, and removes the clones. Each step
 * finds out whether it was done before, so that a `done` that was killed is said again.
 */
export async function done(cli: Cli, options: DoneOptions): Promise<Outcome> {
  const named = findSession(cli.host.files, cli.cwd, options.session);
  if (!named.ok) return named;
  // The work of a revision is part of that of its parent.
  const found = topSession(cli.host.files, cli.cwd, named.value);
  if (!found.ok) return found;
  const work = await readWork(cli, found.value);
  if (!work.ok) return work;
  const { head, view, before, text, verify, sensitive, unusual } = work.value;
  const remote = options.push
    ? await chooseRemote(cli, found.value.session, options.remote)
    : ok(undefined);
  if (!remote.ok) return remote;
  const wanted = { remote: remote.value, pr: options.pr, hasClones: hasClones(cli, found.value) };
  const left = leftToDo(wanted, before);
  const looked =
    remote.value === undefined || !left.push
      ? ok(undefined)
      : await lookBeforePush(cli, found.value.session, { remote: remote.value, head });
  if (!looked.ok) return looked;
  const sure = options.dryRun ? ok(undefined) : await confirmSaid(cli, found.value, view, options);
  if (!sure.ok) return sure;
  const plan = {
    cli,
    found: found.value,
    options,
    head,
    text,
    verify,
    sensitive,
    unusual,
    remote: remote.value,
    before,
    left,
  };
  const taken = options.dryRun ? ok(PLANNED) : await take(plan);
  if (!taken.ok) return taken;
  const said = await doneView(plan, view, taken.value);
  cli.terminal.out(options.json ? JSON.stringify(said, undefined, 2) : doneText(said));
  return ok(EXIT.ok);
}

/** What a person said decides what the work is: where an engine may have said it as well, they are asked. */
async function confirmSaid(
  cli: Cli,
  { session: { id } }: FoundSession,
  { saidMeanwhile, closed }: StatusView,
  { yes, json }: DoneOptions,
): Promise<Result<void, CliFailure>> {
  if (saidMeanwhile.length === 0 || closed !== undefined) return ok(undefined);
  const words = saidMeanwhile.map((text) => sentence("plain", text).text);
  const about = "While engines ran that no sandbox confined, this was said, by them or by you:";
  if (!json)
    for (const line of [about, ...words.map((word) => `  ${word}`)]) cli.terminal.err(line);
  return confirm(cli, {
    isSure: yes,
    question: `Take the work of ${id} as it is? [y/N] `,
    command: `wisp done ${id} --yes`,
    why: `What was said while engines ran that no sandbox confined is yours to confirm: ${words.join("; ")}`,
  });
}

interface Work {
  readonly head: Oid;
  /** What is on record, where it was taken as it is. */
  readonly before: TakenBefore | undefined;
  readonly view: StatusView;
  readonly text: PullRequestText;
  readonly verify: VerifyOutcome;
  readonly sensitive: readonly SensitiveChange[];
  readonly unusual: readonly Unusual[];
}

/** What there is to take: only what is complete, and has not moved since. */
async function readWork(cli: Cli, found: FoundSession): Promise<Result<Work, CliFailure>> {
  const { host } = cli;
  const { session, home } = found;
  const read = await readState(cli, found);
  if (!read.ok) return read;
  const { state } = read.value;
  const { closed } = state.human;
  if (closed !== undefined && closed.how !== "done") return fail(sessionClosed(session.id, closed));
  const unfinished = await unfinishedRevision(cli, found);
  if (!unfinished.ok) return unfinished;
  if (unfinished.value !== undefined) {
    const revision = unfinished.value.session.id;
    return fail({ kind: "revision-unfinished", session: session.id, revision });
  }
  const revised = await readRevisedWork(cli, found);
  if (!revised.ok) return revised;
  const alive = await readLeases(host, home);
  const family = await readFamilyFacts(cli, found);
  const remoteSeen = await readRemoteSeen(cli, found, state);
  const nowMs = host.clock.nowMs();
  const own = statusView({ ...found, ...read.value, ...family, remoteSeen, alive, nowMs });
  const view = withRevisions(own, state, revised.value);
  // What was taken may have been revised since: then it is taken again.
  const isTaken = closed !== undefined && view.isRevisedSince !== true;
  const end = closed === undefined ? endOf(state) : state.builder.done;
  const head = isTaken ? closed.at : state.branch.head;
  const allowed = allow("hand-in", { id: session.id, state, nowMs: host.clock.nowMs() });
  const problems = isTaken ? [] : inTheWay(view, end, allowed);
  if (problems.length > 0 || head === undefined) {
    const { next } = own;
    return fail({ kind: "not-green", session: session.id, problems, next } satisfies NotGreen);
  }
  const sensitive = await readSensitiveChanges(cli, session, head);
  if (!sensitive.ok) return sensitive;
  const unusual = await readUnusual(cli, session, head);
  const told = {
    session,
    state,
    view,
    revisions: revised.value,
    request: textAt(cli, home.request),
    changes: textAt(cli, join(home.directory, "CHANGES.md")),
    sensitive: sensitive.value,
    unusual,
  };
  const before = isTaken ? { ...closed, isMerged: family.taken?.isMerged === true } : undefined;
  const verify = verifyOutcome(session, revised.value.at(-1)?.state ?? state);
  const text = pullRequestText(told);
  return ok({ head, view, before, text, verify, sensitive: sensitive.value, unusual });
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
  readonly sensitive: readonly SensitiveChange[];
  readonly unusual: readonly Unusual[];
  readonly remote: string | undefined;
  readonly before: TakenBefore | undefined;
  readonly left: LeftToDo;
}

interface Taken {
  readonly pullRequest: PullRequest | undefined;
  readonly changes: string | undefined;
  readonly rescues: readonly string[];
  readonly left: readonly string[];
}

const PLANNED: Taken = { pullRequest: undefined, changes: undefined, rescues: [], left: [] };

/** In this order: what can fail for a reason of the world comes before anything is removed. */
async function take(plan: Plan): Promise<Result<Taken, CliFailure>> {
  const { cli, found, options, head, remote, text, left: toDo } = plan;
  const pushed =
    remote === undefined || !toDo.push
      ? ok(undefined)
      : await pushBranch(cli, found.session, { remote, head });
  if (!pushed.ok) return pushed;
  const opened = toDo.pullRequest
    ? await openPullRequest(cli, found.session, { ...text, base: options.base })
    : ok(undefined);
  if (!opened.ok) return opened;
  const pullRequest = opened.value;
  const url =
    pullRequest === undefined || pullRequest.kind === "by-hand" ? undefined : pullRequest.url;
  const changes = keepChanges(plan);
  if (!changes.ok) return changes;
  const word: HumanWord = {
    ...{ kind: "done", at: head },
    ...(remote === undefined ? {} : { remote }),
    ...(url === undefined ? {} : { url }),
  };
  const said = await appendHuman(cli, found, () => word);
  // Said before by a `done` that was killed: what is left of it is done now.
  const isAgain = !said.ok && said.failure.kind === "session-closed" && said.failure.how === "done";
  if (!said.ok && !isAgain) return said;
  const torn = await tearDown(cli, found);
  if (!torn.ok) return torn;
  const { rescues, left } = torn.value;
  return ok({ pullRequest, changes: changes.value, rescues, left });
}

/** Copies the notes on where the work left the request to where the user keeps them. */
function keepChanges({ cli, found }: Plan) {
  const { home, session } = found;
  const read = cli.host.files.read(join(home.directory, "CHANGES.md"));
  if (!read.ok) return read;
  if (read.value === undefined || read.value.length === 0) return ok(undefined);
  const path = join(session.repository, ".wisp", `${session.id}-changes.md`);
  const kept = cli.host.files.replace(path, read.value);
  return kept.ok ? ok(path) : kept;
}

async function doneView(
  { cli, found, options, head, text, verify, sensitive, unusual, remote, before, left: toDo }: Plan,
  view: StatusView,
  { pullRequest, changes, rescues, left }: Taken,
): Promise<DoneView> {
  const { repository: directory, branch, id } = found.session;
  const url =
    remote === undefined ? undefined : await remoteUrl(gitContext(cli), { directory, remote });
  const isOpened = pullRequest !== undefined && pullRequest.kind !== "by-hand";
  // Of what was taken before nothing is opened that is not left to do.
  const isByHand = options.pr && !isOpened && (before === undefined || toDo.pullRequest);
  return {
    schema: "wisp.done/1",
    session: id,
    branch,
    head,
    isDryRun: options.dryRun,
    takenBefore: before?.time,
    leftToDo: before && doneOf(toDo, isByHand && !options.dryRun),
    later: view.laterCommits === 0 ? undefined : laterSaid(view),
    isMerged: before?.isMerged,
    remote: remote ?? before?.remote,
    remoteSays: options.dryRun ? view.remote?.says : undefined,
    pullRequest: pullRequest?.kind === "by-hand" ? undefined : (pullRequest?.url ?? before?.url),
    /** To be opened by hand. */
    page: isByHand && url !== undefined ? newRequestPage(url, branch) : undefined,
    title: text.title,
    body: text.body,
    isBodyShown: (options.dryRun && before === undefined) || isByHand,
    milestones: view.milestones.length,
    verify,
    revisions: view.revised,
    sensitive,
    unusual,
    edits: view.edits,
    changes,
    rescues,
    left,
  };
}
