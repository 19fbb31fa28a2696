import { join } from "node:path";
import type { Clone, GitFailure, Hub } from "../../base/ports/repo.ts";
import { ok, type Result } from "../../base/result.ts";
import type { Role } from "../../base/role.ts";
import { clonesDirectory } from "../../fs-protocol/home/session-json.ts";
import { createClone } from "../../git/clone/create-clone.ts";
import { openHub } from "../../git/repository/hub.ts";
import { gitContext, type World } from "../../workspace/world.ts";
import { count } from "../../base/words/sentence.ts";
import type { FoundSession } from "../../workspace/sessions.ts";

/** A role's clone while a person works in it; the role's lease is held. */
export interface AttachedClone {
  readonly directory: string;
  /**
   * Leaves it as a role may find it: what the person committed in the builder's clone is on the session
   * branch, everything else that would be lost is under a rescue reference. Says so, line by line.
   */
  leave(): Promise<Result<readonly string[], GitFailure>>;
}

/** Opens a role's clone, or makes it. */
export async function openAttached(
  world: World,
  { session }: FoundSession,
  role: Role,
): Promise<Result<AttachedClone, GitFailure>> {
  const git = gitContext(world);
  const { repository, branch, id, identity } = session;
  const hub = openHub(git, repository);
  const directory = join(clonesDirectory(session, role), "clone");
  const clone = await createClone(git, { hub, branch, directory, session: id, identity });
  if (!clone.ok) return clone;
  const before = await clone.value.head();
  if (!before.ok) return before;
  const place = { clone: clone.value, hub, branch, role, before: before.value };
  return ok({ directory, leave: () => leave(place) });
}

interface Place {
  readonly clone: Clone;
  readonly hub: Hub;
  readonly branch: string;
  readonly role: Role;
  /** HEAD of the clone when the person came. */
  readonly before: string;
}

async function leave(place: Place): Promise<Result<readonly string[], GitFailure>> {
  const { clone, role, before } = place;
  // First what is not committed: commits on top of which something lies cannot be moved.
  const repaired = await clone.repair();
  if (!repaired.ok) return repaired;
  const { rescue } = repaired.value;
  const saved = rescue === undefined ? [] : [`What was not committed is saved under ${rescue}`];
  const head = await clone.head();
  if (!head.ok) return head;
  if (head.value === before) return ok(saved);
  if (role === "builder") return publishWork(place, saved);
  const reset = await clone.rescueAndReset();
  if (!reset.ok) return reset;
  const { rescue: kept } = reset.value;
  if (kept === undefined) return ok(saved);
  return ok([...saved, `The ${role} publishes no code: your commits are saved under ${kept}`]);
}

/** The person's commits become part of the next range, as if they had been made on the branch. */
async function publishWork(
  { clone, hub, branch, before }: Place,
  saved: readonly string[],
): Promise<Result<readonly string[], GitFailure>> {
  const from = await hub.head(branch);
  const own = await clone.commitsSince(before);
  if (!own.ok) return own;
  const rebased = await clone.rebaseOntoHub();
  if (!rebased.ok) {
    if (rebased.failure.kind === "git") return { ok: false, failure: rebased.failure };
    return saveConflict(clone, saved);
  }
  const { head } = rebased.value;
  const published = await clone.publish(head);
  if (!published.ok) {
    if (published.failure.kind === "git") return { ok: false, failure: published.failure };
    return saveConflict(clone, saved);
  }
  if (from === undefined) return ok(saved);
  const commits = await hub.commits(from, head);
  if (!commits.ok) return commits;
  const made = Math.min(own.value.length, commits.value.length);
  return ok([...saved, publishedWords(branch, { made, found: commits.value.length - made })]);
}

/** What a turn that was interrupted had committed lies below the person's commits, and goes with them. */
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
): Promise<Result<readonly string[], GitFailure>> {
  const reset = await clone.rescueAndReset();
  if (!reset.ok) return reset;
  const { rescue = "nothing" } = reset.value;
  const why = "Your commits could not be put on the branch (it moved, or it is checked out)";
  return ok([...saved, `${why}; they are saved under ${rescue}`]);
}
