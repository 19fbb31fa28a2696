import { dirname, join } from "node:path";
import { ROLES, type Role } from "../../base/role.ts";
import { daemonMark } from "../../agents/supervisor/daemon-mark.ts";
import { LogFold } from "../../fs-protocol/codec/log-fold.ts";
import { copyPath } from "../../fs-protocol/home/copy-path.ts";
import { logPath, type Home } from "../../fs-protocol/home/home.ts";
import { clonesDirectory } from "../../fs-protocol/home/session-json.ts";
import { HumanRecord } from "../../fs-protocol/records/human-log.ts";
import { openHub } from "../../git/repository/hub.ts";
import { entryKind } from "../../host/files/entry-kind.ts";
import { findDaemons } from "../../host/processes/find-daemons.ts";
import type { PruneFacts } from "../../session/rules/why-kept.ts";
import { endOf } from "../../session/state/end-in-force.ts";
import { EMPTY_HUMAN, foldHuman, type Closed } from "../../session/state/fold-human.ts";
import { isCloneName } from "../has-clones.ts";
import { wholeView } from "../home/home-shape.ts";
import { readLeases } from "../session/read-leases.ts";
import { readState } from "../session/read-state.ts";
import type { FoundSession } from "../sessions.ts";
import { repositoryState } from "../state-directory.ts";
import { gitContext, type World } from "../world.ts";
import { ownsHome, type KeptSession } from "./kept-sessions.ts";

type Machine = Pick<World, "host" | "env" | "program">;

/** Reads what decides whether a session's files may be removed. What cannot be read is no reason to remove anything. */
export async function pruneFacts(
  world: Machine,
  kept: KeptSession,
  { isLeased = false }: { readonly isLeased?: boolean } = {},
): Promise<PruneFacts> {
  const { found, revisions } = kept;
  const closed = closedOf(world, found);
  const facts = {
    holders: isLeased ? [] : await holdersOf(world, kept),
    isElsewhere: isElsewhere(world, kept),
    isClosed: closed !== undefined,
    isComplete: closed === undefined && (await isComplete(world, kept)),
    openRevision: await openRevision(world, revisions, closed),
    unsaved: await unsavedClones(world, kept),
  };
  return { ...facts, ageMs: ageMs(world, kept) };
}

/** How a person closed a session; undefined if nobody did, or if that cannot be read. */
function closedOf({ host: { files } }: Machine, found: FoundSession): Closed | undefined {
  const human = new LogFold({
    files: wholeView(files, found),
    path: found.home.humanLog,
    schema: HumanRecord,
    empty: EMPTY_HUMAN,
    reduce: foldHuman,
  }).refresh();
  return human.ok ? human.value.closed : undefined;
}

async function isComplete(world: Machine, { found, at }: KeptSession): Promise<boolean> {
  const read = at === "orphan" ? undefined : await readState(world, found);
  return read?.ok === true && endOf(read.value.state)?.how === "complete";
}

/** Processes that hold a lease, and those that are found by their marks where there is no home to hold one in. */
async function holdersOf(world: Machine, kept: KeptSession): Promise<readonly string[]> {
  const holders = new Set<string>();
  for (const { home } of [kept.found, ...kept.revisions]) {
    const own = kept.at === "home" ? await readLeases(world.host, home) : await marked(home);
    for (const one of own) holders.add(one);
  }
  return [...holders];
}

async function marked(home: Home): Promise<ReadonlySet<Role | "supervisor">> {
  const holders = ["supervisor", ...ROLES] as const;
  const daemons = await findDaemons(holders.map((holder) => daemonMark(home, holder)));
  const found = new Set<Role | "supervisor">();
  for (const holder of holders) {
    if ((daemons.get(daemonMark(home, holder)) ?? []).length > 0) found.add(holder);
  }
  return found;
}

/** Only what is in wisp's own folders is certain to be wisp's: a home may have been copied, or planted. */
function isElsewhere({ env }: Machine, kept: KeptSession): boolean {
  const { session, home } = kept.found;
  if (dirname(session.state) !== repositoryState(env, session.repository)) return true;
  const places = [session.state, ...(ownsHome(kept) ? [home.directory] : [])];
  return places.some((path) => !["directory", undefined].includes(entryKind(path)));
}

/** The newest revision, if it is not over, or if it came after the work was shipped. */
async function openRevision(
  world: Machine,
  revisions: readonly FoundSession[],
  closed: Closed | undefined,
): Promise<string | undefined> {
  const newest = revisions.at(-1);
  if (newest === undefined || closedOf(world, newest) !== undefined) return undefined;
  if (closed !== undefined && closed.how !== "done") return undefined;
  const isBefore = closed !== undefined && newest.session.createdAt <= closed.time;
  const read = isBefore ? await readState(world, newest) : undefined;
  const isOver = read?.ok === true && endOf(read.value.state)?.how === "complete";
  return isOver ? undefined : newest.session.id;
}

/** The clones of a session whose work cannot be brought into its repository. */
async function unsavedClones(
  world: Machine,
  { found: { session }, at }: KeptSession,
): Promise<readonly string[]> {
  const clones = ROLES.flatMap((role) => {
    const above = clonesDirectory(session, role);
    const names = entryKind(above) === "directory" ? world.host.files.list(above) : undefined;
    return names?.ok === true ? names.value.filter(isCloneName).map((one) => join(above, one)) : [];
  });
  if (clones.length === 0 || at === "orphan") return clones;
  const hub = openHub(gitContext(world), session.repository);
  return (await hub.head(session.branch)) === undefined ? clones : [];
}

function ageMs({ host: { files, clock } }: Machine, kept: KeptSession): number {
  const times = [kept.found, ...kept.revisions].flatMap(({ home, session }) =>
    (["human", "supervisor", ...ROLES] as const).map((log) => {
      const path = kept.at === "home" ? logPath(home, log) : copyPath(session, `${log}Log`);
      return files.stat(path)?.changedMs ?? Date.parse(session.createdAt);
    }),
  );
  return Math.max(0, clock.nowMs() - Math.max(...times));
}
