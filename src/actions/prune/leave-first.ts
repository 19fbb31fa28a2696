import { need } from "../../base/fatal.ts";
import { shellWord } from "../../base/words/shell-word.ts";
import type { PruneLimits } from "../../session/rules/why-kept.ts";
import type { KeptSession } from "../../workspace/disk/kept-sessions.ts";
import { readState } from "../../workspace/session/read-state.ts";
import { readSession } from "../../workspace/sessions.ts";
import type { World } from "../../workspace/world.ts";
import { leavePlace } from "../elsewhere/leave-place.ts";
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
  { force }: PruneLimits,
): Promise<KeptSession | { readonly stays: PlaceHoldsFacts }> {
  const { found } = kept;
  if (kept.at !== "home") return kept;
  if (found.mirrors === undefined) return afterMove(world, kept);
  if (need(await readState(world, found)).state.human.closed === undefined) return kept;
  const again = `wisp prune ${shellWord(found.session.id)}`;
  const stays = await leavePlace(world, found, { again, isForced: force });
  if (stays !== undefined) return { stays };
  return { ...kept, found: need(readSession(world.host.files, found.home)) };
}

/** A move that has not ended noted a place: only force, or the move, removes it. */
async function afterMove(world: World, kept: KeptSession): Promise<KeptSession> {
  const { home } = kept.found;
  const note = movingNote(world.host.files, home);
  if (note === undefined) return kept;
  await (await farEnd(world, kept.found, note.executor)).destroy();
  noteMoving(world.host.files, home, undefined);
  return kept;
}
