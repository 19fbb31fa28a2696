import { need } from "../../base/fatal.ts";
import { join } from "node:path";
import type { Clone, Hub } from "../../base/ports/repo.ts";
import type { Role } from "../../base/role.ts";
import { clonesDirectory } from "../../fs-protocol/home/session-json.ts";
import { createClone } from "../../git/clone/create-clone.ts";
import { openHub } from "../../git/repository/hub.ts";
import { storeOf } from "../../git/store/object-store.ts";
import { gitContext, type World } from "../../workspace/world.ts";
import { count } from "../../base/words/sentence.ts";
import { findUnfiltered } from "../../work/unfiltered.ts";
import type { FoundSession } from "../../workspace/sessions.ts";

/** A role's clone while a person works in it; the role's lease is held. */
export interface AttachedClone {
  readonly directory: string;
  /**
   * Leaves the clone in a state that the role can work with: what the person committed in the
   * builder's clone is on the session branch, everything else that would be lost is under a rescue
   * ref. Reports it, line by line.
   */
  leave(): Promise<readonly string[]>;
}

/** Opens or creates a role's clone. */
export async function openAttached(
  world: World,
  { session }: FoundSession,
  role: Role,
): Promise<AttachedClone> {
  const git = gitContext(world);
  const { repository, branch, id, identity } = session;
  const hub = openHub(git, repository);
  const directory = join(clonesDirectory(session, role), "clone");
  const store = storeOf(session, world.host);
  const options = { hub, branch, directory, session: id, identity, store, setup: session.setup };
  const clone = need(await createClone(git, options));
  const before = need(await clone.head());
  const place = { clone, hub, branch, role, before, session };
  return { directory, leave: () => leave(place) };
}

interface Place {
  readonly clone: Clone;
  readonly hub: Hub;
  readonly branch: string;
  readonly role: Role;
  readonly session: FoundSession["session"];
  /** HEAD of the clone when the person came. */
  readonly before: string;
}

async function leave(place: Place): Promise<readonly string[]> {
  const { clone, role, before } = place;
  // Uncommitted work first, before the commits below it are moved.
  const { rescue } = need(await clone.repair());
  const saved = rescue === undefined ? [] : [`Uncommitted work is saved under ${rescue}`];
  const head = need(await clone.head());
  if (head === before) return saved;
  if (role === "builder") return publishWork(place, saved);
  const { rescue: kept } = need(await clone.rescueAndReset());
  if (kept === undefined) return saved;
  return [...saved, `The ${role} publishes no code: your commits are saved under ${kept}`];
}

/** The person's commits become part of the next range, as if they had been made on the branch. */
async function publishWork(
  { clone, hub, branch, before, session }: Place,
  saved: readonly string[],
): Promise<readonly string[]> {
  const from = await hub.head(branch);
  const own = need(await clone.commitsSince(before));
  const rebased = await clone.rebaseOntoHub();
  if (!rebased.ok && rebased.failure.kind !== "git") return saveConflict(clone, saved);
  const { head } = need(rebased);
  const onto = (await hub.head(branch)) ?? session.base;
  const unfiltered = need(await findUnfiltered({ hub, session, clone, onto, head }));
  if (unfiltered !== undefined) {
    const { rescue: kept = "nothing" } = need(await clone.rescueAndReset());
    return [...saved, `${unfiltered.reason}. Your commits are saved under ${kept}`];
  }
  const published = await clone.publish(head);
  if (!published.ok && published.failure.kind === "content") {
    return saveConflict(clone, saved, published.failure.reason);
  }
  if (!published.ok && published.failure.kind !== "git") return saveConflict(clone, saved);
  need(published);
  if (from === undefined) return saved;
  const commits = need(await hub.commits(from, head));
  const made = Math.min(own.length, commits.length);
  return [...saved, publishedWords(branch, { made, found: commits.length - made })];
}

/** Commits of an interrupted turn lie below the person's commits, and are published with them. */
function publishedWords(
  branch: string,
  { made, found }: { readonly made: number; readonly found: number },
): string {
  const under = found === 0 ? "" : ` (and ${count(found, "commit")} of the interrupted turn)`;
  const yours = `${count(made, "commit")} of yours${under}`;
  return `${yours} on ${branch}: part of the next range, to be reviewed.`;
}

async function saveConflict(
  clone: Clone,
  saved: readonly string[],
  cause = "it moved, or it is checked out",
): Promise<readonly string[]> {
  const reset = need(await clone.rescueAndReset());
  const { rescue = "nothing" } = reset;
  const why = `Your commits could not be put on the branch (${cause})`;
  return [...saved, `${why}; they are saved under ${rescue}`];
}
