import { revisedRedBase } from "../../home/known-red.ts";
import { repositoryState } from "../../workspace/state-directory.ts";
import { refuseWrites } from "../../home/write-fence.ts";
import { randomUUID } from "node:crypto";
import { dirname, join, relative } from "node:path";
import { CannotGoOn, need } from "../../base/fatal.ts";
import { RevisionUnfinished } from "./revision-failures.ts";
import { writeSessionCopy } from "../../home/session-copy.ts";
import type { Oid } from "../../base/oid.ts";
import type { CompiledRequest } from "../../session/rules/compile-request.ts";
import { revisionHomes } from "../../fs-protocol/home/home-family.ts";
import {
  parentHome,
  revisionHome,
  revisionName,
  revisionNumber,
  type Home,
} from "../../fs-protocol/home/home.ts";
import { REVISION_POLICY, type Policy } from "../../fs-protocol/home/policy.ts";
import {
  PROTOCOL_VERSION,
  type ParentSession,
  type SessionJson,
} from "../../fs-protocol/home/session-json.ts";
import { keepSnapshot } from "../../git/repository/kept-refs.ts";
import { stuckStages } from "../../settings/schema/stuck-setting.ts";
import { pointLink } from "../../host/files/node-links.ts";
import { appendHuman } from "../../workspace/session/append-human.ts";
import { gitContext, type World } from "../../workspace/world.ts";
import { endSession } from "../close/end-session.ts";
import { buildHome } from "../start/build-home.ts";
import { freezePrompts, readPrompts } from "../start/prompt-files.ts";
import { readSettings } from "../../workspace/settings/read-settings.ts";
import { readState } from "../../workspace/session/read-state.ts";
import { commandsInForce, replacedIn } from "../../session/commands/commands-in-force.ts";
import type { CommandSettings } from "../../fs-protocol/home/command-settings.ts";
import { partsOf, readFound, type FinishedWork } from "../../workspace/finished/finished-work.ts";
import { laterCommits, reviewedTo } from "../../workspace/finished/later-commits.ts";
import { endOf } from "../../session/state/end-in-force.ts";
import { currentLink, readSession, type FoundSession } from "../../workspace/sessions.ts";

/** A revision before any of it is created. */
export interface RevisionDraft extends Pick<
  ParentSession,
  "how" | "asked" | "builder" | "preserve"
> {
  readonly parent: FoundSession;
  /** Returns its `request.md`, given its number, which is only known on creation. */
  readonly request: (revision: number) => string;
  readonly plan: CompiledRequest;
}

/** The beginning of a revision's PROGRESS.txt (seed 000, US-005). */
const PROGRESS = "## Codebase Patterns\n(none yet)\n\n---\n";

/**
 * Creates a revision: a session of its own inside the home of the one that it revises, on the same
 * branch and in the same clones. All processes of the parent exit first, since a branch may have
 * only one active session. The home is built under a temporary name and renamed into place: all of
 * it, or nothing. Only one revision is created at a time. Throws `CannotGoOn` if the session is not written on this
 * machine.
 */
export async function createRevision(world: World, draft: RevisionDraft): Promise<FoundSession> {
  const { host } = world;
  const { home } = draft.parent;
  need(refuseWrites(host.files, home));
  need(host.files.makeDirectory(home.locks));
  const lease = need(await host.locks.takeLease(join(home.locks, "revise.lock")));
  try {
    return await make(world, draft);
  } finally {
    await lease.release();
  }
}

/**
 * The newest revision of a session, or of the session that it revises itself, unless that revision
 * has ended: until then no other session works on their branch. Undefined if it has ended, if there
 * is none, or if it is this one.
 */
export async function unfinishedRevision(
  world: Pick<World, "host" | "env" | "program">,
  { home, session }: FoundSession,
): Promise<FoundSession | undefined> {
  const top = session.parent === undefined ? home : parentHome(home);
  const homes = need(revisionHomes(world.host.files, top));
  const newest = homes.at(-1);
  if (newest === undefined || newest.directory === home.directory) return undefined;
  const found = need(readSession(world.host.files, newest));
  const read = need(await readState(world, found));
  const { state } = read;
  const isOver = state.human.closed !== undefined || endOf(state)?.how === "complete";
  return isOver ? undefined : found;
}

async function make(world: World, draft: RevisionDraft): Promise<FoundSession> {
  const { host } = world;
  const { parent } = draft;
  const { repository: directory, id } = parent.session;
  const unfinished = await unfinishedRevision(world, parent);
  if (unfinished !== undefined) {
    const { session } = unfinished;
    throw new CannotGoOn(RevisionUnfinished({ session: id, revision: session.id }));
  }
  const settings = need(readSettings(host.files, directory));
  const stuck = stuckStages(settings.stuck.revisions);
  // A revision freezes the checkout's prompts, like any session.
  const prompts = readPrompts(world, directory);
  const revision = nextRevision(world, parent);
  await leaveOthers(world, parent, revision);
  const work = need(await readFound(world, parent));
  const head = work.head ?? parent.session.base;
  const family = partsOf(work);
  const network = family.map(({ state }) => state.builder.baseline?.network).findLast(Boolean);
  const base = reviewedTo(family) ?? head;
  sayUnreviewed(world, laterCommits(family).count);
  const name = `${id}/${String(revision)}`;
  need(await keepSnapshot(gitContext(world), { directory, name, at: head }));
  const createdAt = new Date(host.clock.nowMs()).toISOString();
  const session = sessionOf(draft, {
    revision,
    base,
    began: head,
    createdAt,
    madeBy: world.version,
    stuck,
    redBase: revisedRedBase(
      { files: host.files, folder: repositoryState(world.env, directory) },
      parent.session,
      family,
    ),
    network,
    commands: lastCommands(work),
  });
  need(host.files.makeDirectory(session.state));
  freezePrompts(host, session.state, prompts);
  const home = makeHome(world, draft, session);
  const link = currentLink(directory);
  need(pointLink(link, relative(dirname(link), home.directory)));
  return { home, session };
}

/** The commands that were in force last in a work: its next revision begins with them. */
function lastCommands(work: FinishedWork): CommandSettings {
  const { found, state } = work.revisions.at(-1) ?? work;
  return commandsInForce(found.session, replacedIn(found.session, state));
}

/**
 * The revision begins where the branch was reviewed last: commits after that are reviewed with its
 * own work.
 */
function sayUnreviewed({ tell }: World, later: number): void {
  if (later === 0) return;
  const were = later === 1 ? "last commit was" : `last ${String(later)} commits were`;
  tell(`The ${were} not reviewed yet. The revision will review ${later === 1 ? "it" : "them"}.`);
}

/** The first number after all that are taken, also by invalid homes and removed ones. */
function nextRevision({ host }: World, { home, session }: FoundSession): number {
  const names = need(host.files.list(home.directory));
  const known = need(host.files.list(session.state));
  const numbers = [...names, ...known].map((name) => revisionNumber(name) ?? 0);
  return 1 + Math.max(0, ...numbers);
}

/**
 * Stops all processes of the parent and of the previous revision: they continue as this one. If the
 * work was shipped or abandoned, none are left.
 */
async function leaveOthers(world: World, parent: FoundSession, revision: number): Promise<void> {
  const homes = need(revisionHomes(world.host.files, parent.home));
  const newest = homes.at(-1);
  const before = newest === undefined ? [] : [need(readSession(world.host.files, newest))];
  for (const one of [parent, ...before]) {
    const appended = await appendHuman(world, one, () => ({ kind: "revise", revision }));
    const isOver = !appended.ok && appended.failure.kind === "session-closed";
    const mayGoOn = isOver && (one !== parent || appended.failure.how === "done");
    if (!mayGoOn) need(appended);
    await endSession(world, one);
  }
}

function sessionOf(
  { parent: { session }, how, asked, builder, preserve }: RevisionDraft,
  at: Pick<SessionJson, "createdAt" | "madeBy"> &
    Pick<Policy, "stuck" | "redBase"> &
    Pick<ParentSession, "network"> & {
      readonly revision: number;
      readonly base: Oid;
      readonly began: Oid;
      readonly commands: CommandSettings;
    },
): SessionJson {
  const { revision, base, began, createdAt, madeBy, stuck, redBase, network } = at;
  const { env, ...commands } = at.commands;
  const name = revisionName(revision);
  return {
    ...session,
    ...commands,
    // A session without them uses the roles' variables.
    commands: session.commands && { ...session.commands, env },
    // It is asked for by itself, with a budget of its own.
    fleet: undefined,
    version: PROTOCOL_VERSION,
    madeBy,
    progress: 2,
    id: `${session.id}/${name}`,
    parent: {
      ...{ id: session.id, revision, how, asked: [...asked] },
      ...(began === base ? {} : { began }),
      ...(preserve === false ? { preserve } : {}),
      ...{ state: session.state, base: session.base, network, builder },
    },
    base,
    createdAt,
    state: join(session.state, name),
    policy: { ...session.policy, ...REVISION_POLICY, stuck, redBase },
  };
}

function makeHome(
  world: World,
  { parent, request, plan }: RevisionDraft,
  session: SessionJson,
): Home {
  const revision = session.parent?.revision ?? 0;
  const home = buildHome(
    world,
    { session, request: Buffer.from(request(revision)), plan, progress: PROGRESS },
    {
      draft: join(parent.home.directory, `.new-${randomUUID()}`),
      home: revisionHome(parent.home, revision),
    },
  );
  // After the home: a copy without a home means a session whose home was removed.
  need(writeSessionCopy(world.host.files, { session }));
  return home;
}
