import { join } from "node:path";
import type { WorldFailure } from "../../base/fatal.ts";
import { explain } from "../../base/explain.ts";
import { FAR_COPY_MS_MAX } from "../../base/limits.ts";
import {
  ExecutorUnreachable,
  type ExecutorFailure,
  type PlaceGone,
} from "../../base/ports/executor.ts";
import { fail, ok, type Result } from "../../base/result.ts";
import { jsonOf } from "../../base/words/json-text.ts";
import type { Home } from "../../fs-protocol/home/home.ts";
import { placePath } from "../../fs-protocol/home/place-json.ts";
import { LinkJson, linkPath } from "../../fs-protocol/home/link-json.ts";
import { SessionJson } from "../../fs-protocol/home/session-json.ts";
import { ArrivingContent } from "../../git/lfs/arriving-content.ts";
import {
  mirrorHead,
  placeRefs,
  takeBundle,
  type MirroredBranch,
} from "../../git/repository/mirror-branch.ts";
import { backoffMs } from "../../streams/retry.ts";
import { readFarLink } from "../../workspace/session/far-link.ts";
import { gitContext, type World } from "../../workspace/world.ts";
import { farCommand, type FarProgram } from "../far-program.ts";
import { settleBranch } from "../branch/settle-branch.ts";
import { clearMirror, FrameTaker, mirrorRequest } from "../mirror/take-frames.ts";
import { renewWisp } from "../install/renew-wisp.ts";
import type { MirroredSession } from "./mirrored-session.ts";
import { followSession, LINK_BACKOFF, type Receiver } from "./follow-session.ts";

/** The name under which a place runs what keeps its session supervised. */
const KEEPER = "session";

/** How a session is followed. */
export interface Mirroring {
  readonly signal: AbortSignal;
  /** Called each time that a supervisor of the session there has ended, when its last records are here. */
  readonly onLeft: () => void;
}

/**
 * Keeps the mirror of a session as its original is, until `signal` aborts or the mirror is removed, and keeps the session
 * going at its place. Ends with a failure only if the place is gone.
 */
export async function mirrorSession(
  world: World,
  mirrored: MirroredSession,
  { signal: outer, onLeft }: Mirroring,
): Promise<Result<void, PlaceGone>> {
  const { executor, place, id } = mirrored;
  const removed = new AbortController();
  const signal = AbortSignal.any([outer, removed.signal]);
  const link = new LinkFile(world, mirrored.home, { onRemoved: () => removed.abort(), onLeft });
  const program = await renewed(world, mirrored, { link, signal });
  return followSession({
    ...{ clock: world.host.clock, executor, place, program, session: id, signal },
    openReceiver: () => openReceiver(world, mirrored, link),
    onConnecting: () => goOnThere({ ...mirrored, program }),
    random: Math.random,
    onTrouble: (failure: WorldFailure) => link.note({ trouble: explain(failure).message }),
    onAbsent: (absent, failure) => link.note({ absent, trouble: explain(failure).message }),
  });
}

/** The program at the place, once it is the one that runs here; tries until `signal` aborts. */
async function renewed(
  world: World,
  mirrored: MirroredSession,
  { link, signal }: { readonly link: LinkFile; readonly signal: AbortSignal },
): Promise<FarProgram> {
  for (let attempt = 1; !signal.aborted; attempt += 1) {
    const renewing = await renewWisp(world, { ...mirrored, state: mirrored.placed.state });
    if (renewing.ok) return renewing.value;
    link.note({ trouble: explain(renewing.failure).message });
    await world.host.clock.sleep(backoffMs(attempt, LINK_BACKOFF, Math.random()), signal);
  }
  return mirrored.program;
}

/**
 * Makes the mirror of a session what its original is now, in one connection. The caller holds the lease of its
 * follower.
 */
export async function mirrorOnce(
  world: World,
  mirrored: MirroredSession,
): Promise<Result<void, WorldFailure>> {
  const { executor, place, program, id } = mirrored;
  const receiver = openReceiver(
    world,
    mirrored,
    new LinkFile(world, mirrored.home, { onRemoved: nothing, onLeft: nothing }),
  );
  const request = await receiver.request();
  if (!request.ok) return request;
  const stdin = `${request.value}\n`;
  const taking: { last: Result<void, WorldFailure> } = { last: ok(undefined) };
  const onStdout = async (bytes: Uint8Array) => {
    if (taking.last.ok) taking.last = await receiver.take(bytes);
  };
  const words = ["far", "mirror", id, "--once"];
  const command = farCommand(place, program, { cwd: program.repository, words });
  const ran = await executor.exec(place, command, { stdin, onStdout, timeoutMs: FAR_COPY_MS_MAX });
  receiver.close();
  if (!ran.ok) return ran;
  const { value: end } = ran;
  if (!taking.last.ok || (end.kind === "exited" && end.exitCode === 0)) return taking.last;
  return fail(ExecutorUnreachable({ executor: executor.name, detail: "the connection ended" }));
}

/** Makes sure that a session goes on at its place, also after the machine there was restarted. */
export function goOnThere({
  executor,
  place,
  program,
  id,
}: Pick<MirroredSession, "executor" | "place" | "program" | "id">): Promise<
  Result<void, ExecutorFailure>
> {
  const words = ["far", "keep", id];
  const command = farCommand(place, program, { cwd: program.repository, words });
  return executor.detach(place, KEEPER, command);
}

function openReceiver(world: World, mirrored: MirroredSession, link: LinkFile): Receiver {
  const { home, placed, id, branch } = mirrored;
  const { host } = world;
  const git = gitContext(world);
  const of: MirroredBranch = { directory: placed.repository, branch, session: id };
  const where = { host, home, scratch: placed.state };
  const content = new ArrivingContent(git, placed);
  const settle = async () => {
    const moved = await settleBranch(world, mirrored, link.branchAt);
    if (moved.ok) link.note(moved.value);
    return moved.ok ? ok(undefined) : moved;
  };
  // A sign of life is the occasion to look whether a person has committed something here.
  let isDue = false;
  const taker = new FrameTaker({
    ...where,
    onBundle: (path) => takeBundle(git, of, path),
    onContent: (pointer, path) => content.keep(pointer, path),
    onRefs: async (refs) => {
      const placedRefs = await placeRefs(git, of, refs);
      return placedRefs.ok ? settle() : placedRefs;
    },
    onBeat: (beat) => {
      isDue = true;
      link.heard(beat, host.clock.nowMs());
    },
    onSame: () => {
      isDue = true;
      const nowMs = host.clock.nowMs();
      link.note({ wholeMs: nowMs, heardMs: nowMs, trouble: undefined, absent: undefined });
    },
  });
  return {
    request: async () => {
      const cleared = clearMirror(where);
      if (!cleared.ok) return cleared;
      const contents = await content.known();
      if (!contents.ok) return contents;
      const head = await mirrorHead(git, of);
      const asked = mirrorRequest(host, home, { head, contents: [...contents.value] });
      return asked.ok ? ok(JSON.stringify(asked.value)) : asked;
    },
    take: async (bytes) => {
      const taken = await taker.take(bytes);
      if (!taken.ok || !isDue) return taken;
      isDue = false;
      return settle();
    },
    close: () => taker.close(),
  };
}

interface LinkEvents extends Pick<Mirroring, "onLeft"> {
  readonly onRemoved: () => void;
}

function nothing(): void {
  // Who mirrors once does not follow.
}

/** The link file of a mirror, which only its follower writes. */
class LinkFile {
  readonly #world: World;
  readonly #home: Home;
  readonly #on: LinkEvents;
  #now: LinkJson;

  constructor(world: World, home: Home, on: LinkEvents) {
    this.#world = world;
    this.#home = home;
    this.#on = on;
    this.#now = readFarLink(world.host.files, home) ?? { version: 1, alive: {} };
  }

  /** The commit at which the branch here and the one elsewhere were last the same. */
  get branchAt(): LinkJson["branchAt"] {
    return this.#now.branchAt;
  }

  /** Notes a sign of life. */
  heard({ alive, leftBehind }: Pick<LinkJson, "alive" | "leftBehind">, nowMs: number): void {
    const isSupervised = Object.values(alive).some((holders) => holders.includes("supervisor"));
    const before = this.#now;
    const leftMs = isSupervised ? undefined : (before.leftMs ?? nowMs);
    const isThere = { trouble: undefined, absent: undefined };
    this.note({ alive, leftBehind, heardMs: nowMs, leftMs, ...isThere });
    if (leftMs !== undefined && before.leftMs === undefined) this.#on.onLeft();
  }

  /** Writes what has changed. A full disk is no reason to stop: the next note tells more. */
  note(news: Partial<LinkJson>): void {
    this.#now = LinkJson.parse({ ...this.#now, ...news });
    const { files } = this.#world.host;
    // A mirror that a person removed must not reappear in part.
    if (files.stat(placePath(this.#home)) === undefined) {
      this.#on.onRemoved();
      return;
    }
    if (!files.makeDirectory(this.#home.locks).ok) return;
    files.replace(linkPath(this.#home), Buffer.from(`${JSON.stringify(this.#now)}\n`));
  }
}

/** The branch of a session, as its `session.json` says that has been mirrored. */
export function mirroredBranch(world: Pick<World, "host">, home: Home): string | undefined {
  const read = world.host.files.read(home.sessionJson);
  const text = read.ok ? Buffer.from(read.value ?? []).toString("utf8") : "";
  return SessionJson.safeParse(jsonOf(text), { jitless: true }).data?.branch;
}

/** Where a follower puts what it has to say, below the locks of the mirror. */
export function followerOutput({ locks }: Pick<Home, "locks">): string {
  return join(locks, "mirror.out");
}
