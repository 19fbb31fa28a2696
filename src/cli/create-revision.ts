import { writeCopy } from "../agents/keep-session.ts";
import { randomUUID } from "node:crypto";
import { dirname, join, relative } from "node:path";
import type { FileFailure } from "../base/files.ts";
import type { LeaseHeld } from "../base/locks.ts";
import type { Oid } from "../base/oid.ts";
import type { GitFailure } from "../base/repo.ts";
import { fail, ok, type Result } from "../base/result.ts";
import type { CompiledRequest } from "../fs-protocol/compile-request.ts";
import { revisionHomes } from "../fs-protocol/home-family.ts";
import {
  homeAt,
  parentHome,
  planPath,
  revisionHome,
  revisionName,
  revisionNumber,
  type Home,
} from "../fs-protocol/home.ts";
import { REVISION_POLICY, type Policy } from "../fs-protocol/policy.ts";
import {
  encodeSession,
  PROTOCOL_VERSION,
  type ParentSession,
  type SessionJson,
} from "../fs-protocol/session-json.ts";
import { keepSnapshot } from "../git/snapshot.ts";
import { stuckStages } from "../settings/stuck-setting.ts";
import { pointLink } from "../host/node-links.ts";
import { appendHuman, type SpeakFailure } from "./append-human.ts";
import { gitContext, type Cli } from "./cli.ts";
import { endSession } from "./end-session.ts";
import type { RevisionUnfinished, StillAtWork } from "./failures.ts";
import { firstPlan } from "./first-plan.ts";
import { freezePrompts, readPrompts } from "./prompt-files.ts";
import { readSettings, type SettingsFailure } from "./read-settings.ts";
import { readState } from "./read-state.ts";
import { partsOf, readFound, type WorkFailure } from "./finished-work.ts";
import { laterCommits, reviewedTo } from "./later-commits.ts";
import { endOf } from "./session-end.ts";
import { currentLink, readSession, type FoundSession, type SessionUnreadable } from "./sessions.ts";

/** What a revision is to be, before anything of it is made. */
export interface RevisionDraft extends Pick<
  ParentSession,
  "how" | "asked" | "builder" | "preserve"
> {
  readonly parent: FoundSession;
  /** Its `request.md`, from its number, which is known when it is made. */
  readonly request: (revision: number) => string;
  readonly plan: CompiledRequest;
}

export type CreateRevisionFailure =
  | FileFailure
  | GitFailure
  | LeaseHeld
  | RevisionUnfinished
  | SessionUnreadable
  | SettingsFailure
  | SpeakFailure
  | StillAtWork
  | WorkFailure;

/** What a revision's record of progress begins with (seed 000, US-005). */
const PROGRESS = "## Codebase Patterns\n(none yet)\n\n---\n";

/**
 * Makes a revision: a session of its own inside the home of the one that it mends, on the same branch and
 * in the same clones. Everybody at work on the parent leaves before, since a branch has one session that
 * is alive. The home is built under a name that nobody looks at and renamed into place: all of it, or
 * nothing; and only one at a time is made.
 */
export async function createRevision(
  cli: Cli,
  draft: RevisionDraft,
): Promise<Result<FoundSession, CreateRevisionFailure>> {
  const { host } = cli;
  const { home } = draft.parent;
  const made = host.files.makeDirectory(home.locks);
  if (!made.ok) return made;
  const lease = await host.locks.takeLease(join(home.locks, "revise.lock"));
  if (!lease.ok) return lease;
  try {
    return await make(cli, draft);
  } finally {
    await lease.value.release();
  }
}

/**
 * The newest revision of a session, or of that of which it is a revision itself, unless it has ended:
 * until then nobody else works on their branch. Undefined: it has, there is none, or it is this one.
 */
export async function unfinishedRevision(
  cli: Pick<Cli, "host" | "env">,
  { home, session }: FoundSession,
): Promise<Result<FoundSession | undefined, FileFailure | GitFailure | SessionUnreadable>> {
  const top = session.parent === undefined ? home : parentHome(home);
  const homes = revisionHomes(cli.host.files, top);
  if (!homes.ok) return homes;
  const newest = homes.value.at(-1);
  if (newest === undefined || newest.directory === home.directory) return ok(undefined);
  const found = readSession(cli.host.files, newest);
  if (!found.ok) return found;
  const read = await readState(cli, found.value);
  if (!read.ok) return read;
  const { state } = read.value;
  const isOver = state.human.closed !== undefined || endOf(state)?.how === "complete";
  return ok(isOver ? undefined : found.value);
}

async function make(
  cli: Cli,
  draft: RevisionDraft,
): Promise<Result<FoundSession, CreateRevisionFailure>> {
  const { host } = cli;
  const { parent } = draft;
  const { repository: directory, id } = parent.session;
  const unfinished = await unfinishedRevision(cli, parent);
  if (!unfinished.ok) return unfinished;
  if (unfinished.value !== undefined) {
    const { session } = unfinished.value;
    return fail({ kind: "revision-unfinished", session: id, revision: session.id });
  }
  const settings = readSettings(host.files, directory);
  if (!settings.ok) return settings;
  const stuck = stuckStages(settings.value.stuck.revisions);
  // A revision begins with the checkout's, as any session.
  const prompts = readPrompts(cli, directory);
  if (!prompts.ok) return prompts;
  const revision = nextRevision(cli, parent);
  if (!revision.ok) return revision;
  const left = await leaveOthers(cli, parent, revision.value);
  if (!left.ok) return left;
  const work = await readFound(cli, parent);
  if (!work.ok) return work;
  const head = work.value.head ?? parent.session.base;
  const family = partsOf(work.value);
  const base = reviewedTo(family) ?? head;
  sayUnreviewed(cli, laterCommits(family).count);
  const name = `${id}/${String(revision.value)}`;
  const kept = await keepSnapshot(gitContext(cli), { directory, name, at: head });
  if (!kept.ok) return kept;
  const createdAt = new Date(host.clock.nowMs()).toISOString();
  const session = sessionOf(draft, {
    revision: revision.value,
    base,
    began: head,
    createdAt,
    madeBy: cli.version,
    stuck,
  });
  const state = host.files.makeDirectory(session.state);
  if (!state.ok) return state;
  const frozen = freezePrompts(host, session.state, prompts.value);
  if (!frozen.ok) return frozen;
  const home = makeHome(cli, draft, session);
  if (!home.ok) return home;
  const link = currentLink(directory);
  const pointed = pointLink(link, relative(dirname(link), home.value.directory));
  return pointed.ok ? ok({ home: home.value, session }) : pointed;
}

/** The revision begins where the last look at the branch ended: what came since is reviewed with its own work. */
function sayUnreviewed({ terminal }: Cli, later: number): void {
  if (later === 0) return;
  const were = later === 1 ? "last commit was" : `last ${String(later)} commits were`;
  terminal.err(
    `The ${were} not reviewed yet. The revision reviews ${later === 1 ? "it" : "them"}.`,
  );
}

/** The first number behind all that are taken, also by what is no session any more, or whose home was removed. */
function nextRevision({ host }: Cli, { home, session }: FoundSession): Result<number, FileFailure> {
  const names = host.files.list(home.directory);
  if (!names.ok) return names;
  const known = host.files.list(session.state);
  if (!known.ok) return known;
  const numbers = [...names.value, ...known.value].map((name) => revisionNumber(name) ?? 0);
  return ok(1 + Math.max(0, ...numbers));
}

/**
 * Has everybody stop who is at work on the parent, or on the revision before: they went on as this one.
 * Where the work was taken, or given up, nobody is left.
 */
async function leaveOthers(
  cli: Cli,
  parent: FoundSession,
  revision: number,
): Promise<Result<void, FileFailure | SessionUnreadable | SpeakFailure | StillAtWork>> {
  const homes = revisionHomes(cli.host.files, parent.home);
  if (!homes.ok) return homes;
  const newest = homes.value.at(-1);
  const before = newest === undefined ? undefined : readSession(cli.host.files, newest);
  if (before?.ok === false) return before;
  for (const one of [parent, ...(before === undefined ? [] : [before.value])]) {
    const said = await appendHuman(cli, one, () => ({ kind: "revise", revision }));
    const isOver = !said.ok && said.failure.kind === "session-closed";
    const mayGoOn = isOver && (one !== parent || said.failure.how === "done");
    if (!said.ok && !mayGoOn) return said;
    const ended = await endSession(cli, one);
    if (!ended.ok) return ended;
  }
  return ok(undefined);
}

function sessionOf(
  { parent: { session }, how, asked, builder, preserve }: RevisionDraft,
  at: Pick<SessionJson, "createdAt" | "madeBy"> &
    Pick<Policy, "stuck"> & {
      readonly revision: number;
      readonly base: Oid;
      readonly began: Oid;
    },
): SessionJson {
  const { revision, base, began, createdAt, madeBy, stuck } = at;
  const name = revisionName(revision);
  return {
    ...session,
    version: PROTOCOL_VERSION,
    madeBy,
    progress: 2,
    id: `${session.id}/${name}`,
    parent: {
      ...{ id: session.id, revision, how, asked: [...asked] },
      ...(began === base ? {} : { began }),
      ...(preserve === false ? { preserve } : {}),
      ...{ state: session.state, builder },
    },
    base,
    createdAt,
    state: join(session.state, name),
    policy: { ...session.policy, ...REVISION_POLICY, stuck },
  };
}

function makeHome(
  { host }: Cli,
  { parent, request, plan: compiled }: RevisionDraft,
  session: SessionJson,
): Result<Home, FileFailure> {
  const { files, directories } = host;
  const revision = session.parent?.revision ?? 0;
  const draft = homeAt(join(parent.home.directory, `.new-${randomUUID()}`));
  for (const directory of [draft.directory, draft.plans, draft.logs, draft.turns, draft.locks]) {
    const below = files.makeDirectory(directory);
    if (!below.ok) return below;
  }
  const text = encodeSession(session);
  const plan = firstPlan(compiled, session.createdAt);
  const contents = [
    [draft.sessionJson, text],
    [draft.request, request(revision)],
    [draft.progress, PROGRESS],
    [planPath(draft, plan.sha256), plan.bytes],
    [draft.milestones, ""],
    [draft.reviews, ""],
    [draft.bugs, ""],
    [draft.humanLog, plan.record],
  ] as const;
  for (const [path, bytes] of contents) {
    const written = files.create(path, Buffer.from(bytes));
    if (!written.ok) {
      directories.removeTree(draft.directory);
      return written;
    }
  }
  const home = revisionHome(parent.home, revision);
  const placed = directories.move(draft.directory, home.directory);
  if (placed.ok) {
    // After it: a copy without a home is of a session whose home was removed.
    const copied = writeCopy(files, { session });
    return copied.ok ? ok(home) : copied;
  }
  directories.removeTree(draft.directory);
  return placed;
}
