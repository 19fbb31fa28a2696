import { attempted } from "../../base/fatal.ts";
import { activeOf, readFound } from "../../workspace/finished/finished-work.ts";
import { endOf } from "../../session/state/end-in-force.ts";
import type { SessionState } from "../../session/state/session-state.ts";
import { readFarLink } from "../../workspace/session/far-link.ts";
import { readSession, type FoundSession } from "../../workspace/sessions.ts";
import type { Home } from "../../fs-protocol/home/home.ts";
import type { World } from "../../workspace/world.ts";

/** How often it is looked whether a session elsewhere is at rest, and for how long it has to be. */
const REST_LOOK_MS = 20_000;
const REST_MS_MIN = 60_000;

/**
 * Resolves once a session elsewhere is at rest: it is over or was stopped, nobody has been at work on it at its place for
 * a while, and all of it is here. Then no process has to follow it: whatever changes it starts one. Resolves as well when
 * `signal` aborts.
 */
export async function awaitRest(world: World, home: Home, signal: AbortSignal): Promise<void> {
  const { clock } = world.host;
  const beganMs = clock.nowMs();
  for (;;) {
    await clock.sleep(REST_LOOK_MS, signal);
    if (signal.aborted || (await isAtRest(world, home, beganMs))) return;
  }
}

async function isAtRest(world: World, home: Home, beganMs: number): Promise<boolean> {
  const { files, clock } = world.host;
  const { leftMs, wholeMs = 0 } = readFarLink(files, home) ?? {};
  if (leftMs === undefined || wholeMs < Math.max(leftMs, beganMs)) return false;
  // Who has just begun to follow was started for something that may not have begun yet.
  if (clock.nowMs() - Math.max(leftMs, beganMs) < REST_MS_MIN) return false;
  const found = readSession(files, home);
  return found.ok && isOver(await activeState(world, found.value));
}

async function activeState(world: World, found: FoundSession): Promise<SessionState | undefined> {
  const work = await attempted(() => readFound(world, found));
  return work.ok && work.value.ok ? activeOf(work.value.value).state : undefined;
}

function isOver(state: SessionState | undefined): boolean {
  if (state === undefined) return false;
  const { human } = state;
  return endOf(state) !== undefined || human.stopped || human.closed !== undefined;
}
