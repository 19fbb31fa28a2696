import { CannotGoOn, need } from "../../base/fatal.ts";
import { ExecutorUnreachable } from "../../base/ports/executor.ts";
import { shellWord } from "../../base/words/shell-word.ts";
import type { PruneLimits } from "../../session/rules/why-kept.ts";
import type { KeptSession } from "../../workspace/disk/kept-sessions.ts";
import { readState } from "../../workspace/session/read-state.ts";
import { readSession } from "../../workspace/sessions.ts";
import type { World } from "../../workspace/world.ts";
import { agreeToLoss, leavePlace, type Leaving } from "../elsewhere/leave-place.ts";
import { takeFromFollower } from "../elsewhere/take-from-follower.ts";
import { farEnd } from "../move/far-end.ts";
import { movingNote, noteMoving } from "../move/moving-note.ts";
import type { PlaceHoldsFacts } from "../elsewhere/place-holds.ts";

/**
 * Removes the place of a closed session that a person named, so that its files here are its own. One that is not closed
 * stays where it is.
 *
 * @returns the session as it is then, or why its place stays
 */
export async function leaveFirst(
  world: World,
  kept: KeptSession,
  { force, isSure }: PruneLimits & { readonly isSure: boolean },
): Promise<KeptSession | { readonly stays: PlaceHoldsFacts }> {
  const { found } = kept;
  if (kept.at !== "home") return kept;
  const command = `wisp prune ${shellWord(found.session.id)} --force --yes`;
  if (found.mirrors === undefined) return afterMove(world, kept, { isSure, command });
  if (need(await readState(world, found)).state.human.closed === undefined) return kept;
  const again = `wisp prune ${shellWord(found.session.id)}`;
  const stays = await leavePlace(world, found, {
    again,
    ...(force ? { force: { isSure, command } } : {}),
  });
  if (stays !== undefined) return { stays };
  return { ...kept, found: need(readSession(world.host.files, found.home)) };
}

/** A move that has not ended noted a place: only force, or the move, removes it. */
async function afterMove(
  world: World,
  kept: KeptSession,
  force: NonNullable<Leaving["force"]>,
): Promise<KeptSession> {
  const { home } = kept.found;
  if (movingNote(world.host.files, home) === undefined) return kept;
  // Nobody else moves it meanwhile.
  const lease = await takeFromFollower(world, { home });
  try {
    const note = movingNote(world.host.files, home);
    if (note === undefined) return kept;
    const far = await farEnd(world, kept.found, note.executor);
    if (note.place === undefined) await far.findPlace();
    const held = await far.clear(true);
    if (held === undefined) throw new CannotGoOn(unheard(note.executor));
    if (held.length > 0) await agreeToLoss(world, held, force);
    await far.destroy();
    noteMoving(world.host.files, home, undefined);
    return kept;
  } finally {
    await lease.release();
  }
}

function unheard(executor: string) {
  return ExecutorUnreachable({ executor, detail: "it did not say what clones there hold" });
}
