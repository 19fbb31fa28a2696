import { attempted } from "../../base/fatal.ts";
import { HIBERNATE_MS } from "../../base/limits.ts";
import { ROLES } from "../../base/role.ts";
import { treesDirectory } from "../../evidence/verify-tree/tree-place.ts";
import { homeFamily } from "../../fs-protocol/home/home-family.ts";
import { parentHome, roleLog, type Home } from "../../fs-protocol/home/home.ts";
import { clonesDirectory } from "../../fs-protocol/home/session-json.ts";
import type { SessionState } from "../../session/state/session-state.ts";
import type { World } from "../../workspace/world.ts";
import { allSessions } from "../../workspace/find-session.ts";
import { activeOf, readFound } from "../../workspace/finished/finished-work.ts";
import { endOf } from "../../session/state/end-in-force.ts";
import { openUnitOf } from "../../workspace/session/role-activity.ts";
import { withAllLeases } from "../../workspace/session/session-leases.ts";
import { readSession, type FoundSession } from "../../workspace/sessions.ts";
import { removeOldTemporaries } from "../../workspace/disk/old-temporaries.ts";
import { hasClones, hasRemains } from "../../workspace/has-clones.ts";
import type { TornDown } from "../close/tear-down.ts";

type Machine = Pick<World, "host" | "env" | "program">;
type Saying = Machine & Pick<World, "tell">;

/**
 * Releases the clones of sessions that ended or were stopped, and have been idle for as long as
 * their settings require (seed 001: "auto-cleanup after 1 hour idle"). Work that only a clone holds
 * is saved under a rescue ref first, which is reported. Commands that read sessions do this after
 * their own work; what cannot be released now is left to the next command. Old temporary files in the state directory
 * go as well.
 *
 * @returns the ids of the sessions whose clones were released
 */
export async function releaseIdle(
  world: Saying,
  sessions: readonly FoundSession[],
): Promise<readonly string[]> {
  const released: string[] = [];
  const repositories = new Set(sessions.map(({ session }) => session.repository));
  for (const repository of repositories) removeOldTemporaries(world, repository);
  for (const one of sessions) {
    const found = topOf(world, one);
    const torn = mayBeIdle(world, found) ? await release(world, found) : undefined;
    if (torn === undefined || torn.removed.length === 0) continue;
    released.push(found.session.id);
    for (const ref of torn.rescues) world.tell(savedWords(found, ref));
  }
  return released;
}

function savedWords({ session: { id } }: FoundSession, ref: string): string {
  return `wisp: released the idle clones of ${id}; work that was on no branch is kept as ${ref}`;
}

/** A revision uses the clones of the session that it revises. */
function topOf({ host }: Machine, found: FoundSession): FoundSession {
  if (found.session.parent === undefined) return found;
  const parent = readSession(host.files, parentHome(found.home));
  return parent.ok ? parent.value : found;
}

/** Whether a process was killed while it released the last clone. */
function leftRemains({ host }: Machine, { session }: FoundSession): boolean {
  return ROLES.some((role) => {
    const names = host.files.list(clonesDirectory(session, role));
    return names.ok && hasRemains(names.value);
  });
}

/** Whether there is anything to release. Trees may be all that is left, if waiting roles gave up their clones. */
function hasAnything(world: Machine, found: FoundSession): boolean {
  const trees = world.host.files.list(treesDirectory(found.session));
  if (trees.ok && trees.value.length > 0) return true;
  return hasClones(world, found) || leftRemains(world, found);
}

/** As `releaseIdle`, for all sessions of a repository. */
export async function releaseAllIdle(world: World): Promise<void> {
  const all = allSessions(world.host.files, world.cwd);
  if (all.ok) await releaseIdle(world, all.value.sessions);
}

/** Cheap checks only: every command that lists sessions runs them for every session. */
function mayBeIdle(world: Machine, found: FoundSession): boolean {
  const { session, home } = found;
  const idleMs = session.policy.hibernateMs ?? HIBERNATE_MS;
  if (idleMs === 0 || !hasAnything(world, found)) return false;
  const { files, clock } = world.host;
  const family = homeFamily(files, home, session);
  if (!family.ok) return false;
  const changed = family.value.flatMap(logsOf).map((path) => files.stat(path)?.changedMs ?? 0);
  return clock.nowMs() - Math.max(...changed) >= idleMs;
}

function logsOf(home: Home): readonly string[] {
  return [home.humanLog, home.supervisorLog, ...ROLES.map((role) => roleLog(home, role))];
}

/**
 * Releases the clones while holding all leases of the session and its revisions, and only if it is
 * at rest. Undefined if nothing was released.
 */
async function release(world: Machine, found: FoundSession): Promise<TornDown | undefined> {
  const work = await readFound(world, found);
  if (!work.ok || !isAtRest(activeOf(work.value).state)) return undefined;
  const homes = work.value.revisions.map((revision) => revision.found.home);
  // Loaded only when there is something to release, which is seldom.
  const { tearDown } = await import("../close/tear-down.ts");
  const leased = homes.reduceRight<() => Promise<TornDown | undefined>>(
    (inner, home) => async () => {
      const done = await withAllLeases(world.host, home, inner);
      return done.ok ? done.value : undefined;
    },
    async () => {
      const torn = await attempted(() => tearDown(world, found));
      return torn.ok ? torn.value : undefined;
    },
  );
  return leased();
}

/** It ended or a person stopped it, and no unit is unfinished in a clone. */
function isAtRest(state: SessionState): boolean {
  const { human } = state;
  const isOver = endOf(state) !== undefined || human.stopped || human.closed !== undefined;
  return isOver && ROLES.every((role) => openUnitOf(state, role) === undefined);
}
