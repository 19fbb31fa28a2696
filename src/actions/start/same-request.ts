import { need, CannotGoOn, attempted } from "../../base/fatal.ts";
import { EXIT } from "../../base/exit-code.ts";
import { refusal, type Words } from "../../base/failure.ts";
import { shellWord } from "../../base/words/shell-word.ts";
import { shown } from "../../base/words/shown.ts";
import type { World } from "../../workspace/world.ts";
import { keepCurrent } from "../../workspace/point-current.ts";
import { readLeases } from "../../workspace/session/read-leases.ts";
import { readState } from "../../workspace/session/read-state.ts";
import { isDoneUnverified, withNothingVerified } from "../../session/rules/nothing-verified.ts";
import { endOf } from "../../session/state/end-in-force.ts";
import { STANDARD_INPUT } from "./read-request.ts";
import type { SessionDraft } from "./session-draft.ts";
import { listSessions, readSession, type FoundSession } from "../../workspace/sessions.ts";

interface Started {
  readonly session: string;
  readonly branch: string;
  /** The request's path as given, or `-`. */
  readonly path: string;
  /** `complete`: its work waits for a person. */
  readonly stands: "running" | "unfinished" | "complete";
  /** For `complete`: whether no test is known to have run in it. */
  readonly isUnverified?: boolean | undefined;
}

/** A session of the same request exists, and no person has closed it. */
export const AlreadyStarted = refusal("already-started", EXIT.usage, startedWords);

function startedWords({ session, branch, path, stands, isUnverified = false }: Started): Words {
  const id = shellWord(session);
  const name = path === "-" ? STANDARD_INPUT : shown(path);
  const again = `wisp start ${shellWord(shown(path))} --again`;
  const has = `the session ${shown(session)} on ${shown(branch)} has the same request`;
  if (stands === "complete") {
    return [
      `${withNothingVerified(`${name} is already done: ${has} and is complete`, isUnverified)}.`,
      "Nothing was created. Review its work, revise it, or ship it; or start the request again on a branch of its own.",
      `wisp review ${id}`,
      `wisp revise ${id}`,
      `wisp done ${id}`,
      again,
    ];
  }
  const isRunning = stands === "running";
  return [
    `${name} was already started: ${has} ${isRunning ? "and is running" : "and is not finished"}.`,
    "Nothing was created. Look at that session, continue it or abandon it; or start the request again on a branch of its own.",
    `wisp status ${id}`,
    isRunning ? `wisp up ${id}` : `wisp resume ${id}`,
    `wisp abandon ${id}`,
    again,
  ];
}

/** How a request is started, besides the request itself. */
export interface StartedAs {
  /** Start even if there is a session of the same request. */
  readonly again?: boolean | undefined;
  /** The branch named for it; naming one implies `again`. */
  readonly branch?: string | undefined;
  /** The request's path as given, or `-`. */
  readonly path: string;
}

/**
 * Refuses a request that was already started: doing it twice by mistake costs twice as much.
 * `--again` or a branch of its own allows it.
 */
export async function refuseSameRequest(
  world: World,
  draft: Pick<SessionDraft, "repository" | "request">,
  { again = false, branch, path }: StartedAs,
): Promise<void> {
  if (again || branch !== undefined) return;
  const known = await sameRequest(world, draft);
  if (known !== undefined) throw new CannotGoOn(AlreadyStarted({ ...known, path }));
}

/**
 * The same right before creating the session: an earlier start may have been killed at its last
 * step, so `.wisp/current` is corrected if needed.
 */
export async function refuseStarted(
  world: World,
  draft: Pick<SessionDraft, "repository" | "request">,
  as: StartedAs,
): Promise<void> {
  const known = await attempted(() => refuseSameRequest(world, draft, as));
  if (!known.ok && AlreadyStarted.is(known.failure) && known.failure.stands !== "complete") {
    keepCurrent(world, { repository: draft.repository.directory, id: known.failure.session });
  }
  need(known);
}

/**
 * Finds a session with exactly the same request that no person has closed: an unfinished one, or
 * else the newest complete one. Sessions that cannot be read are ignored.
 */
async function sameRequest(
  world: World,
  { repository, request }: Pick<SessionDraft, "repository" | "request">,
): Promise<Omit<Started, "path"> | undefined> {
  const { files } = world.host;
  const homes = need(listSessions(files, repository.directory));
  let complete: Omit<Started, "path"> | undefined;
  for (const home of homes) {
    const text = files.read(home.request);
    if (!text.ok || text.value === undefined) continue;
    if (!Buffer.from(text.value).equals(request.bytes)) continue;
    const found = readSession(files, home);
    if (!found.ok || found.value.session.parent !== undefined) continue;
    const stands = await standOf(world, found.value);
    if (stands === undefined) continue;
    const { id: session, branch } = found.value.session;
    const known = { session, branch, ...stands };
    if (known.stands !== "complete") return known;
    complete = known;
  }
  return complete;
}

/** Undefined if a person has closed it, or if it cannot be read. */
async function standOf(
  world: World,
  found: FoundSession,
): Promise<Pick<Started, "stands" | "isUnverified"> | undefined> {
  const read = await readState(world, found);
  if (!read.ok || read.value.state.human.closed !== undefined) return undefined;
  const { state } = read.value;
  if (endOf(state)?.how === "complete") {
    return { stands: "complete", isUnverified: isDoneUnverified(state) };
  }
  const isRunning = (await readLeases(world.host, found.home)).has("supervisor");
  return { stands: isRunning ? "running" : "unfinished" };
}
