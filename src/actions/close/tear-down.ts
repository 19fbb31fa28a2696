import { need } from "../../base/fatal.ts";
import { join } from "node:path";
import { treesDirectory, treeTops } from "../../evidence/verify-tree/tree-place.ts";
import type { Clone } from "../../base/ports/repo.ts";
import { ROLES, type Role } from "../../base/role.ts";
import { clonesDirectory } from "../../fs-protocol/home/session-json.ts";
import { storeBeside } from "../../fs-protocol/home/shared-objects.ts";
import { createClone } from "../../git/clone/create-clone.ts";
import { forgetRemote } from "../../git/remote/remote-branch.ts";
import { removeClone as removeWhole } from "../../git/clone/rest-clone.ts";
import { openHub } from "../../git/repository/hub.ts";
import { removeUnused } from "../../git/store/remove-store.ts";
import { sessionPlace } from "../../git/clone/session-place.ts";
import { gitContext, type World } from "../../workspace/world.ts";
import { hasClonesBeside, isCloneName, isRemains } from "../../workspace/has-clones.ts";
import { withAllLeases } from "../../workspace/session/session-leases.ts";
import type { FoundSession } from "../../workspace/sessions.ts";
import type { HeldClone } from "./held-clone.ts";

/** What was removed, and what was saved first. */
export interface TornDown {
  /** Refs that hold unpublished work of the clones. */
  readonly rescues: readonly string[];
  /** Directories of clones that were removed. */
  readonly removed: readonly string[];
  /** Clones that stay: the branch is gone, so it cannot be told what is already saved. */
  readonly left: readonly string[];
  /** Clones that stay, because they hold what wisp cannot save. */
  readonly held: readonly HeldClone[];
}

/** The temporary files of engines. */
const TEMPORARY = /^tmp(?:-\d+)?$/u;

/**
 * Removes the clones of a session, its verify trees, and what was fetched of its remote's branch.
 * What a clone holds beyond the session branch is saved under a rescue ref first; a clone whose
 * work cannot be saved stays. Idempotent.
 */
export async function tearDown(
  world: Pick<World, "host" | "env">,
  found: FoundSession,
): Promise<TornDown> {
  return need(await withAllLeases(world.host, found.home, () => removeClones(world, found)));
}

/** The same for a caller that holds the leases. */
export async function removeClones(
  world: Pick<World, "host" | "env">,
  found: FoundSession,
): Promise<TornDown> {
  const { repository, branch, id } = found.session;
  const hasBranch = (await openHub(gitContext(world), repository).head(branch)) !== undefined;
  const clones: string[] = [];
  for (const role of ROLES) {
    const listed = clonesOf(world, found, role);
    clones.push(...listed);
  }
  need(await forgetRemote(gitContext(world), { directory: repository, session: id }));
  // Trees hold no work, and no running role uses them; but they tell what can be made again.
  const removeTrees = () => need(world.host.directories.removeTree(treesDirectory(found.session)));
  if (!hasBranch) {
    removeTrees();
    return { rescues: [], removed: [], left: clones, held: [] };
  }
  const saved = new Map<string, Saved>();
  for (const directory of clones) saved.set(directory, await removeClone(world, found, directory));
  const isHeld = (directory: string) => (saved.get(directory)?.held.length ?? 0) > 0;
  // A later look at what a clone holds must not take what setup makes for more of it.
  if (!clones.some(isHeld)) removeTrees();
  const { locks } = world.host;
  const store = { directory: storeBeside(found.session), locks };
  const isNeeded = () => hasClonesBeside(world, found.session);
  need(await removeUnused(gitContext(world), store, isNeeded));
  const rescues = new Set([...saved.values()].flatMap((each) => each.rescues));
  const removed = clones.filter((directory) => !isHeld(directory));
  const held = [...saved].map(([directory, { held: what }]) => ({ directory, what }));
  return {
    rescues: [...rescues],
    removed,
    left: [],
    held: held.filter(({ what }) => what.length > 0),
  };
}

/** What a clone held. */
interface Saved {
  readonly rescues: readonly string[];
  /** What cannot be saved. */
  readonly held: readonly string[];
}

/**
 * Directories of a role's clones. Also removes what engines and killed processes left next to them.
 */
function clonesOf(
  { host }: Pick<World, "host">,
  { session }: FoundSession,
  role: Role,
): readonly string[] {
  const above = clonesDirectory(session, role);
  const listed = need(host.files.list(above));
  const names = listed;
  for (const name of names.filter((other) => TEMPORARY.test(other) || isRemains(other, names))) {
    need(host.directories.removeTree(join(above, name)));
  }
  return names.filter(isCloneName).map((name) => join(above, name));
}

async function removeClone(
  world: Pick<World, "host" | "env">,
  { session }: FoundSession,
  directory: string,
): Promise<Saved> {
  const clone = await openToSave(world, session, directory);
  const saved = need(await clone.rescueAndReset());
  const beside = need(await clone.saveBeside(session.base, treeTops(session)));
  if (beside.held.length === 0) need(removeWhole(world.host, directory));
  const rescues = [saved.rescue, beside.rescue].filter((ref) => ref !== undefined);
  return { rescues, held: beside.held };
}

/**
 * Saves what only this clone holds; returns the name of the rescue ref, if there was something to
 * save.
 */
export async function saveClone(
  world: Pick<World, "host" | "env">,
  session: FoundSession["session"],
  directory: string,
): Promise<string | undefined> {
  const clone = await openToSave(world, session, directory);
  const saved = need(await clone.rescueAndReset());
  return saved.rescue;
}

async function openToSave(
  world: Pick<World, "host" | "env">,
  session: FoundSession["session"],
  directory: string,
): Promise<Clone> {
  const git = gitContext(world);
  const hub = openHub(git, session.repository);
  const shared = sessionPlace(session, { hub, locks: world.host.locks });
  // What is removed next need not be filled before.
  return need(await createClone(git, { ...shared, setup: undefined, directory }));
}
