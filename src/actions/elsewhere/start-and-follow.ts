import { need } from "../../base/fatal.ts";
import { goOnThere } from "../../remote/follow/mirror-session.ts";
import { findSession } from "../../workspace/find-session.ts";
import type { FoundSession } from "../../workspace/sessions.ts";
import type { World } from "../../workspace/world.ts";
import { awaitMirror } from "./await-mirror.ts";
import { ensureFollower } from "./ensure-follower.ts";
import { startElsewhere, type ElsewhereWords } from "./start-elsewhere.ts";

/**
 * Starts a session on another machine, runs it there unless told otherwise, and waits until its files are here.
 * Undefined if the person declines to run the commands of the repository.
 */
export async function startAndFollow(
  world: World,
  words: ElsewhereWords & { readonly up: boolean },
): Promise<FoundSession | undefined> {
  const started = await startElsewhere(world, words);
  if (started === undefined) return undefined;
  const { id, home, repository } = started;
  if (words.up) need(await goOnThere(started));
  const sinceMs = world.host.clock.nowMs();
  await ensureFollower(world, { id, home, repository });
  need(await awaitMirror(world, { id, home, sinceMs }));
  return need(findSession(world.host.files, repository, id));
}
