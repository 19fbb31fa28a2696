import { join } from "node:path";
import { attempted, need, type WorldFailure } from "../../base/fatal.ts";
import { explain } from "../../base/explain.ts";
import { QUEUE_LOOK_MS, QUEUE_STARTS_AT_ONCE_MAX } from "../../base/queue-limits.ts";
import { homeAt } from "../../fs-protocol/home/home.ts";
import { placePath } from "../../fs-protocol/home/place-json.ts";
import type { EntryJson } from "../../fs-protocol/queue/queue-json.ts";
import { afterFailure } from "./failed-start.ts";
import { readFleet, readQueue, writeEntry, type Fleet } from "../../workspace/queue/queue-files.ts";
import { sessionsDirectory } from "../../workspace/sessions.ts";
import { sessionIdOfBranch } from "../../workspace/slug.ts";
import type { World } from "../../workspace/world.ts";
import { beginEntry, branchForEntry, hasOwnLanes, type EntryOf } from "./begin-entry.ts";
import { KilledSessions } from "./killed-sessions.ts";
import { isOpen } from "./ensure-queue.ts";
import { toldOnce } from "./told-once.ts";
import { dueOfFleet, SessionStands, type DueEntry } from "./fleet-stands.ts";

/** What works off a queue, besides the machine. */
export interface QueueWork {
  /** In [0, 1): jitter of the delay before an attempt is made again. */
  readonly random: () => number;
  readonly signal: AbortSignal;
}

/**
 * Starts what waits in the queue of the repository in whose top the caller is, as its fleets allow, until nothing waits
 * any more or `signal` aborts; the caller then ends at once. It holds the lease of the queue. An entry that fails holds up no other one. A
 * started session whose processes were killed is taken up again.
 */
export async function workOffQueue(machine: World, work: QueueWork): Promise<void> {
  const world = { ...machine, tell: toldOnce(machine.tell) };
  const { signal } = work;
  const stands = new SessionStands(world, world.cwd);
  const killed = new KilledSessions(world);
  const begun = new Map<string, Promise<void>>();
  for (;;) {
    const queue = need(readQueue(world.host.files, world.cwd));
    const isOver = begun.size === 0 && !queue.some(({ entries }) => entries.some(isOpen));
    if (isOver || signal.aborted) return;
    const open = queue.filter(({ entries }) => entries.some(isOpen));
    await killed.takeUp(open);
    for (const fleet of open) await beginDue(world, fleet, { ...work, stands, begun });
    // What was begun may end earlier; then the next one need not wait for the next look.
    await Promise.race([world.host.clock.sleep(QUEUE_LOOK_MS, signal), ...begun.values()]);
  }
}

interface Working extends QueueWork {
  readonly stands: SessionStands;
  /** What is being started, by the entry. */
  readonly begun: Map<string, Promise<void>>;
}

/** Begins with those entries of a fleet that are next, as far as there is room beside what is begun already. */
async function beginDue(world: World, fleet: Fleet, working: Working): Promise<void> {
  const { stands, begun } = working;
  const nowMs = world.host.clock.nowMs();
  const hasLanes = await hasOwnLanes(world, fleet.json);
  for (const { number, after } of await dueOfFleet(fleet, stands, { nowMs, hasLanes })) {
    const key = join(fleet.directory, String(number));
    const entry = readFleet(world.host.files, fleet.directory)?.entries.find(
      (one) => one.number === number,
    );
    if (entry === undefined || begun.has(key)) continue;
    if (begun.size >= QUEUE_STARTS_AT_ONCE_MAX) return;
    const claimed = await claim(world, { fleet, entry, after }, working);
    if (claimed === undefined) continue;
    const ends = begin(world, fleet, { entry: claimed, after, random: working.random });
    begun.set(
      key,
      ends.finally(() => begun.delete(key)),
    );
  }
}

/** Notes that an entry is being started, and on which branch; undefined if it cannot be. */
async function claim(
  world: World,
  { fleet, entry, after }: EntryOf & Pick<DueEntry, "after">,
  { random }: Pick<Working, "random">,
): Promise<EntryJson | undefined> {
  if (entry.state === "claimed" && entry.branch !== undefined) return entry;
  const { files } = world.host;
  const queue = need(readQueue(files, world.cwd));
  const others = queue.flatMap(({ entries }) => entries.filter(isOpen)).map((one) => one.branch);
  const taken = new Set(others.flatMap((branch) => branch ?? []));
  const chosen = await attempted(
    () => entry.branch ?? branchForEntry(world, { fleet, entry }, taken),
  );
  if (!chosen.ok) {
    note(world, fleet, { entry, failure: chosen.failure, random });
    return undefined;
  }
  const claimed: EntryJson = { ...entry, state: "claimed", branch: chosen.value };
  if (after !== undefined) claimed.after = [...after];
  need(writeEntry(files, fleet, claimed));
  return claimed;
}

interface DueEntryOf extends Pick<DueEntry, "after"> {
  readonly entry: EntryJson;
  readonly random: () => number;
}

/** Starts the session of an entry that is claimed, and notes what came of it. */
async function begin(
  world: World,
  fleet: Fleet,
  { entry, after, random }: DueEntryOf,
): Promise<void> {
  const { branch = "" } = entry;
  const tell = (text: string) => world.tell(`${branch}: ${text}`);
  const one: World = { ...world, tell, ask: undefined };
  const began = await attempted(() => beginEntry(one, { fleet, entry, branch, after }));
  if (!began.ok) {
    note(world, fleet, { entry, failure: began.failure, random });
    return;
  }
  const { reason: _, afterMs: __, ...rest } = entry;
  need(writeEntry(world.host.files, fleet, { ...rest, state: "started", session: began.value }));
  world.tell(`${branch}: started`);
}

interface Failed {
  readonly entry: EntryJson;
  readonly failure: WorldFailure;
  readonly random: () => number;
}

/** Notes why an entry was not started, and whether it is tried again. */
function note(world: World, fleet: Fleet, { entry, failure, random }: Failed): void {
  const { files, clock } = world.host;
  const { message } = explain(failure);
  const id = sessionIdOfBranch(entry.branch ?? "");
  const home = homeAt(join(sessionsDirectory(world.cwd), id));
  const isPlaced = id !== "" && files.stat(placePath(home)) !== undefined;
  const next = afterFailure(entry, {
    ...{ code: failure.kind, isPlaced, nowMs: clock.nowMs(), random: random() },
  });
  const { branch: _, ...rest } = entry;
  const branch = next.forgetsBranch ? undefined : entry.branch;
  const { state, tries, afterMs } = next;
  const noted: EntryJson = {
    ...rest,
    ...(branch === undefined ? {} : { branch }),
    ...{ state, tries, reason: { code: failure.kind, says: message } },
    ...(afterMs === undefined ? {} : { afterMs }),
  };
  need(writeEntry(files, fleet, noted));
  world.tell(`${entry.branch ?? entry.request}: ${message}`);
}
