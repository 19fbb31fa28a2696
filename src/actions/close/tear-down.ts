import { join } from "node:path";
import { treesDirectory } from "../../agents/verify-tree/tree-place.ts";
import type { FileFailure } from "../../base/ports/files.ts";
import type { LeaseHeld } from "../../base/ports/locks.ts";
import type { GitFailure } from "../../base/ports/repo.ts";
import { ok, type Result } from "../../base/result.ts";
import { ROLES, type Role } from "../../base/role.ts";
import { clonesDirectory } from "../../fs-protocol/home/session-json.ts";
import { createClone } from "../../git/clone/create-clone.ts";
import { forgetRemote } from "../../git/repository/remote-branch.ts";
import { openHub } from "../../git/repository/hub.ts";
import { gitContext, type World } from "../../workspace/world.ts";
import { isCloneName } from "../../workspace/has-clones.ts";
import { withAllLeases } from "../../workspace/session/session-leases.ts";
import type { FoundSession } from "../../workspace/sessions.ts";

/** What was taken away, and what was saved before. */
export interface TornDown {
  /** References under which unpublished work of the clones is kept. */
  readonly rescues: readonly string[];
  /** Directories of clones that were removed. */
  readonly removed: readonly string[];
  /** Those that stay, because the branch that would tell what is saved is gone. */
  readonly left: readonly string[];
}

type TearDownFailure = LeaseHeld | FileFailure | GitFailure;

/** The temporary files of engines. */
const TEMPORARY = /^tmp(?:-\d+)?$/u;
/** What lies beside a clone: its git settings, one that is made and one that is removed. */
const BESIDE = /^(?<clone>clone(?:-\d+)?)\.(?<what>config|making|gone)$/u;

/**
 * Whether something is left of clones that were made or removed by somebody who was killed: nobody's work is in it.
 * Of all that is below a role's clones.
 */
export function hasRemains(names: readonly string[]): boolean {
  return names.some((name) => isRemains(name, names));
}

function isRemains(name: string, names: readonly string[]): boolean {
  const found = BESIDE.exec(name)?.groups;
  if (found === undefined) return false;
  const { clone = "", what } = found;
  return what !== "config" || !names.includes(clone);
}

/**
 * Removes the clones of a session, its verify trees, and what was fetched of its remote's branch. What is in a clone
 * that the session branch does not hold is saved under a rescue reference first; a clone whose work cannot be saved
 * stays. Twice is the same as once.
 */
export async function tearDown(
  world: Pick<World, "host" | "env">,
  found: FoundSession,
): Promise<Result<TornDown, TearDownFailure>> {
  const done = await withAllLeases(world.host, found.home, () => removeClones(world, found));
  return done.ok ? done.value : done;
}

async function removeClones(
  world: Pick<World, "host" | "env">,
  found: FoundSession,
): Promise<Result<TornDown, FileFailure | GitFailure>> {
  const { repository, branch, id } = found.session;
  const hasBranch = (await openHub(gitContext(world), repository).head(branch)) !== undefined;
  const clones: string[] = [];
  for (const role of ROLES) {
    const listed = clonesOf(world, found, role);
    if (!listed.ok) return listed;
    clones.push(...listed.value);
  }
  // Nobody's work is in these, and no role is at work that would use one.
  const trees = world.host.directories.removeTree(treesDirectory(found.session));
  if (!trees.ok) return trees;
  const forgotten = await forgetRemote(gitContext(world), { directory: repository, session: id });
  if (!forgotten.ok) return forgotten;
  if (!hasBranch) return ok({ rescues: [], removed: [], left: clones });
  const rescues: string[] = [];
  for (const directory of clones) {
    const saved = await removeClone(world, found, directory);
    if (!saved.ok) return saved;
    if (saved.value !== undefined) rescues.push(saved.value);
  }
  return ok({ rescues, removed: clones, left: [] });
}

/** Directories of a role's clones. On the way goes what engines, and whoever was killed here, left beside them. */
function clonesOf(
  { host }: Pick<World, "host">,
  { session }: FoundSession,
  role: Role,
): Result<readonly string[], FileFailure> {
  const above = clonesDirectory(session, role);
  const listed = host.files.list(above);
  if (!listed.ok) return listed;
  const names = listed.value;
  for (const name of names.filter((other) => TEMPORARY.test(other) || isRemains(other, names))) {
    const gone = host.directories.removeTree(join(above, name));
    if (!gone.ok) return gone;
  }
  return ok(names.filter(isCloneName).map((name) => join(above, name)));
}

async function removeClone(
  world: Pick<World, "host" | "env">,
  { session }: FoundSession,
  directory: string,
): Promise<Result<string | undefined, FileFailure | GitFailure>> {
  const saved = await saveClone(world, session, directory);
  if (!saved.ok) return saved;
  // A clone of which a part is gone would be taken for a broken one, and kept.
  const { directories } = world.host;
  const aside = `${directory}.gone`;
  const moved = directories.move(directory, aside);
  if (!moved.ok) return moved;
  for (const path of [`${directory}.config`, aside]) {
    const gone = directories.removeTree(path);
    if (!gone.ok) return gone;
  }
  return saved;
}

/** Saves what only this clone holds; the name of the reference, where there was something. */
export async function saveClone(
  world: Pick<World, "host" | "env">,
  { repository, branch, id, identity }: FoundSession["session"],
  directory: string,
): Promise<Result<string | undefined, GitFailure>> {
  const git = gitContext(world);
  const hub = openHub(git, repository);
  const clone = await createClone(git, { hub, branch, directory, session: id, identity });
  if (!clone.ok) return clone;
  const saved = await clone.value.rescueAndReset();
  return saved.ok ? ok(saved.value.rescue) : saved;
}
