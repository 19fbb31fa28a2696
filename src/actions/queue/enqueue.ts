import { randomBytes } from "node:crypto";
import { join } from "node:path";
import { CannotGoOn, need } from "../../base/fatal.ts";
import { QUEUE_FLEETS_KEPT_MAX, QUEUED_REQUESTS_MAX } from "../../base/queue-limits.ts";
import { sha256 } from "../../base/sha256.ts";
import type { EntryJson, FleetJson } from "../../fs-protocol/queue/queue-json.ts";
import { excludeFromGit, type Repository } from "../../git/repository/repository.ts";
import { budgetText, splitBudget } from "../../session/rules/share-budget.ts";
import {
  filesOfFleet,
  queueDirectory,
  readQueue,
  removeEntry,
  writeFleet,
  type Fleet,
} from "../../workspace/queue/queue-files.ts";
import { Usage } from "../../workspace/usage.ts";
import { gitContext, type World } from "../../workspace/world.ts";
import { readBudgets } from "../start/budget-words.ts";
import { EXCLUDED_FROM_GIT } from "../start/excluded-from-git.ts";
import type { Request } from "../start/read-request.ts";
import { hasOwnLanes } from "./begin-entry.ts";
import { isOpen } from "./ensure-queue.ts";

/** What is queued. */
export interface Enqueued {
  readonly requests: readonly Request[];
  readonly how: Pick<FleetJson, "on" | "max" | "options">;
}

/** An entry of the queue, by the folder of its fleet. */
export interface QueuedRequest {
  readonly fleet: Pick<Fleet, "directory">;
  readonly number: number;
}

/**
 * Queues the requests of one start, all of them or none. Those that an earlier start has queued, and that are not over,
 * are not queued twice: the same command goes on with them, as many at a time as it says now. What has failed before is
 * queued anew.
 */
export async function enqueue(
  world: World,
  repository: Repository,
  { requests, how }: Enqueued,
): Promise<readonly QueuedRequest[]> {
  if (requests.length > QUEUED_REQUESTS_MAX) {
    const problem = `no more than ${String(QUEUED_REQUESTS_MAX)} requests can be started at once`;
    throw new CannotGoOn(Usage({ problem }));
  }
  const { files, locks } = world.host;
  const above = queueDirectory(repository.directory);
  need(excludeFromGit(gitContext(world), repository, EXCLUDED_FROM_GIT));
  need(files.makeDirectory(above));
  const hasLanes = await hasOwnLanes(world, how);
  return need(
    await locks.withLock(join(above, "fleets"), () => {
      const queue = need(readQueue(files, repository.directory));
      const known = requests.map((request) => knownEntry(queue, { request, how }));
      const goneOnWith = queue.filter((fleet) =>
        known.some((entry) => entry?.fleet.directory === fleet.directory),
      );
      for (const fleet of goneOnWith) changeMax(world, fleet, { max: how.max, hasLanes });
      clearQueue(world, queue, requests);
      const fresh = requests.filter((_, at) => known[at] === undefined);
      const made = fresh.length === 0 ? [] : makeFleet(world, above, { requests: fresh, how });
      let next = 0;
      return known.map((one) => {
        const queued = one ?? made[next++];
        if (queued === undefined) throw new CannotGoOn(Usage({ problem: "nothing was queued" }));
        return queued;
      });
    }),
  );
}

/** The entry of an earlier start that this one goes on with, as long as that start is not over. */
function knownEntry(
  queue: readonly Fleet[],
  { request, how }: { readonly request: Request; readonly how: Enqueued["how"] },
): QueuedRequest | undefined {
  const digest = sha256(request.bytes);
  const fleets = queue.filter(({ json, entries }) => json.on === how.on && entries.some(isOpen));
  return fleets
    .flatMap((fleet) => fleet.entries.map((entry) => ({ fleet, entry })))
    .filter(({ entry }) => entry.digest === digest && entry.state !== "failed")
    .map(({ fleet, entry: { number } }) => ({ fleet, number }))
    .at(-1);
}

/** Has at most `max` entries of a fleet unfinished at a time from now on, if that is another limit than before. */
function changeMax(
  { host: { files }, tell }: Pick<World, "host" | "tell">,
  fleet: Fleet,
  { max, hasLanes }: Pick<FleetJson, "max"> & { readonly hasLanes: boolean },
): void {
  const { json } = fleet;
  if (max === undefined || max === json.max) return;
  if (!hasLanes) {
    need(writeFleet(files, fleet, { ...json, max }));
    return;
  }
  const before = json.max === undefined ? "without --max" : `with --max ${String(json.max)}`;
  tell(`${json.on ?? ""} was asked for places ${before}, and that stays so for these requests.`);
}

/** Removes what is over of earlier starts: what has failed and is asked for anew, and fleets beyond those that are kept. */
function clearQueue(
  { host: { files, directories } }: Pick<World, "host">,
  queue: readonly Fleet[],
  requests: readonly Request[],
): void {
  const digests = new Set(requests.map(({ bytes }) => sha256(bytes)));
  for (const fleet of queue) {
    const again = fleet.entries.filter((one) => one.state === "failed" && digests.has(one.digest));
    for (const entry of again) need(removeEntry(files, fleet, entry));
  }
  const over = queue.filter(({ entries }) => !entries.some(isOpen));
  for (const { directory } of over.slice(0, -QUEUE_FLEETS_KEPT_MAX)) {
    need(directories.removeTree(directory));
  }
}

/** Writes a fleet under a name that nothing reads, and gives it its own. */
function makeFleet(
  { host: { files, directories, clock } }: Pick<World, "host">,
  above: string,
  { requests, how }: Enqueued,
): readonly QueuedRequest[] {
  const fleet = randomBytes(6).toString("hex");
  const createdAt = new Date(clock.nowMs()).toISOString();
  const json: FleetJson = { version: 1, fleet, createdAt, ...how };
  const shares = budgetShares(how.options, requests.length);
  const entries = requests.map(({ path, bytes }, at) => {
    const digest = sha256(bytes);
    const budget = shares[at];
    const entry: EntryJson = {
      ...{ version: 1, number: at + 1, request: path, digest, state: "waiting", tries: 0 },
      ...(budget === undefined ? {} : { budget }),
    };
    return { entry, content: bytes };
  });
  const draft = join(above, `.${fleet}`);
  need(files.makeDirectory(draft));
  for (const [name, content] of filesOfFleet(json, entries)) {
    need(files.create(join(draft, name), content));
  }
  const directory = join(above, fleet);
  need(directories.move(draft, directory));
  return entries.map(({ entry: { number } }) => ({ fleet: { directory }, number }));
}

/** Splits what the sessions may use together; empty if that is not limited. */
function budgetShares({ budget }: FleetJson["options"], count: number): readonly string[] {
  if (budget === undefined) return [];
  const shares = splitBudget(readBudgets({ budget }).session, count);
  if (shares.ok) return shares.value.map(budgetText);
  const problem = `--budget ${budget}: ${shares.failure} cannot be split into ${String(count)} parts`;
  throw new CannotGoOn(Usage({ problem }));
}
