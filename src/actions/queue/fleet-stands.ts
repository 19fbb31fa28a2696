import { nextInLanes, nextInQueue, type QueuedEntry } from "../../session/rules/next-in-queue.ts";
import type { EntryJson } from "../../fs-protocol/queue/queue-json.ts";
import { endOf } from "../../session/state/end-in-force.ts";
import { findSession } from "../../workspace/find-session.ts";
import type { Fleet } from "../../workspace/queue/queue-files.ts";
import { readFarLink } from "../../workspace/session/far-link.ts";
import { readState } from "../../workspace/session/read-state.ts";
import type { FoundSession } from "../../workspace/sessions.ts";
import type { World } from "../../workspace/world.ts";

/** Tells how sessions stand, and reads one anew only after something may have ended, closed or reopened it. */
export class SessionStands {
  readonly #known = new Map<string, { readonly sizes: string; readonly isFinished: boolean }>();
  readonly #world: World;
  readonly #repository: string;

  constructor(world: World, repository: string) {
    this.#world = world;
    this.#repository = repository;
  }

  /**
   * Whether a session has ended or was closed. One that was removed is over, too, and so is one of which the place is
   * gone, until it goes on elsewhere; one that cannot be read may go on.
   */
  async isFinished(session: string): Promise<boolean> {
    const { files } = this.#world.host;
    const found = findSession(files, this.#repository, session);
    if (!found.ok) return found.failure.kind === "no-such-session";
    const { home, mirrors } = found.value;
    if (mirrors !== undefined && readFarLink(files, home)?.absent === "gone") return true;
    const { humanLog, builderDone } = home;
    const sizes = [humanLog, builderDone].map((path) => files.stat(path)?.sizeBytes ?? -1).join();
    const known = this.#known.get(session);
    if (known?.sizes === sizes) return known.isFinished;
    const isFinished = await this.#read(found.value);
    this.#known.set(session, { sizes, isFinished });
    return isFinished;
  }

  async #read(found: FoundSession): Promise<boolean> {
    const read = await readState(this.#world, found);
    if (!read.ok) return false;
    const { state } = read.value;
    return state.human.closed !== undefined || endOf(state) !== undefined;
  }
}

/** An entry of a fleet that is to be started now, or gone on with. */
export interface DueEntry {
  readonly number: number;
  /** The entries whose places have to be gone first. Absent: the executor holds back nothing. */
  readonly after?: readonly number[] | undefined;
}

/** What is to be started of a fleet now, by its files and by how its sessions stand. */
export async function dueOfFleet(
  { entries, json }: Pick<Fleet, "entries" | "json">,
  stands: SessionStands,
  { nowMs, hasLanes }: { readonly nowMs: number; readonly hasLanes: boolean },
): Promise<readonly DueEntry[]> {
  const { max } = json;
  const queued = await Promise.all(entries.map((entry) => standing(entry, stands)));
  if (hasLanes && max !== undefined) return nextInLanes(queued, { max, nowMs });
  return nextInQueue(queued, { max, nowMs }).start.map((number) => ({ number }));
}

async function standing(entry: EntryJson, stands: SessionStands): Promise<QueuedEntry> {
  const { number, state, tries, afterMs, after, reason, session = "" } = entry;
  const isSubmitted = reason?.code === "place-waits";
  if (state !== "started") return { number, stands: state, tries, afterMs, after, isSubmitted };
  const isFinished = await stands.isFinished(session);
  return { number, stands: isFinished ? "finished" : "unfinished", tries };
}
