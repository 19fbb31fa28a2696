import { QUEUE_KILLED_LOOK_MS, QUEUE_TAKEN_UP_MAX } from "../../base/queue-limits.ts";
import { explain } from "../../base/explain.ts";
import { attempted } from "../../base/fatal.ts";
import { leasePath } from "../../fs-protocol/home/home.ts";
import type { SessionState } from "../../session/state/session-state.ts";
import { endOf } from "../../session/state/end-in-force.ts";
import { findSession } from "../../workspace/find-session.ts";
import type { Fleet } from "../../workspace/queue/queue-files.ts";
import { readState } from "../../workspace/session/read-state.ts";
import type { FoundSession } from "../../workspace/sessions.ts";
import type { World } from "../../workspace/world.ts";
import { hasFailed, supervisorGone } from "../up/supervisor-gone.ts";
import { superviseSession } from "../up/continue-session.ts";

/**
 * Takes up sessions of a queue whose processes were killed: what waits in the queue would wait for them for ever. Those that
 * a person stopped, and all whose supervisor ended in order, stay as they are.
 */
export class KilledSessions {
  readonly #world: World;
  readonly #takenUp = new Map<string, number>();
  #lookedMs = -Infinity;

  constructor(world: World) {
    this.#world = world;
  }

  /** Looks at the sessions that these fleets wait for, at most once in ten seconds. */
  async takeUp(fleets: readonly Fleet[]): Promise<void> {
    const nowMs = this.#world.host.clock.nowMs();
    if (nowMs - this.#lookedMs < QUEUE_KILLED_LOOK_MS) return;
    this.#lookedMs = nowMs;
    const started = fleets
      .filter(({ json }) => json.options.up)
      .flatMap(({ entries }) => entries.filter(({ state }) => state === "started"));
    for (const { session = "" } of started) {
      // One that cannot be looked at, or does not start, must not hold up the others.
      await attempted(() => this.#takeUpOne(session));
    }
  }

  async #takeUpOne(session: string): Promise<void> {
    const { host, cwd, tell } = this.#world;
    const times = this.#takenUp.get(session) ?? 0;
    const found = findSession(host.files, cwd, session);
    if (times >= QUEUE_TAKEN_UP_MAX || !found.ok || found.value.mirrors !== undefined) return;
    if (!(await this.#wasKilled(found.value))) return;
    this.#takenUp.set(session, times + 1);
    tell(`${session}: its processes were killed; it is taken up again`);
    const ensured = await superviseSession(this.#world, found.value);
    if (!ensured.ok || hasFailed(ensured.value)) {
      tell(`${session}: ${explain(supervisorGone(this.#world, found.value)).message}`);
    }
  }

  async #wasKilled(found: FoundSession): Promise<boolean> {
    const { locks } = this.#world.host;
    if (await locks.isLeaseHeld(leasePath(found.home, "supervisor"))) return false;
    const read = await readState(this.#world, found);
    return read.ok && isKilled(read.value.state);
  }
}

/** Whether, by its records, a supervisor would be at work. */
function isKilled(state: SessionState): boolean {
  const { human, supervisor } = state;
  const isWanted = human.closed === undefined && !human.stopped && !human.paused;
  return (
    isWanted &&
    endOf(state) === undefined &&
    supervisor.hasStarted &&
    supervisor.lastEnd === undefined
  );
}
