import { CannotGoOn, need } from "../../base/fatal.ts";
import { ExecutorUnreachable, PlaceGone } from "../../base/ports/executor.ts";
import { linkPath } from "../../fs-protocol/home/link-json.ts";
import { placePath, type PlaceJson } from "../../fs-protocol/home/place-json.ts";
import { openMirrored } from "../../remote/open-mirrored.ts";
import { mirrorOnce } from "../../remote/follow/mirror-session.ts";
import type { MirroredSession } from "../../remote/follow/mirrored-session.ts";
import { readState } from "../../workspace/session/read-state.ts";
import type { FoundSession } from "../../workspace/sessions.ts";
import type { World } from "../../workspace/world.ts";
import type { HeldClone } from "../close/held-clone.ts";
import { confirm } from "../confirm.ts";
import { clearSide } from "../move/ask-side.ts";
import { namingSession } from "./naming-session.ts";
import { leavingCommands, PlaceHolds, type PlaceHoldsFacts } from "./place-holds.ts";
import { reachMirrored } from "./say-there.ts";
import { takeFromFollower } from "./take-from-follower.ts";

/** How a place is left. */
export interface Leaving {
  /** The command that leaves it, as a person types it again. */
  readonly again: string;
  /** What only its clones hold may be lost, once the person has heard what that is. `isSure`: they have agreed before. */
  readonly force?: { readonly isSure: boolean; readonly command: string };
}

/**
 * Ends the stay of a closed session at its place: takes what is there for the last time, removes the place, and makes
 * the mirror here the home of the session. Does nothing if the session is here already.
 *
 * @returns why the place stays; undefined: the session is here
 */
export async function leavePlace(
  world: World,
  found: FoundSession,
  leaving: Leaving,
): Promise<PlaceHoldsFacts | undefined> {
  if (found.mirrors === undefined) return undefined;
  const { executor } = found.mirrors;
  const held = await namingSession(found, () => leave(world, found, leaving));
  if (held.length === 0) return undefined;
  const session = found.session.id;
  return { session, executor, held, ...leavingCommands(session, leaving.again) };
}

/** The same for a command that cannot do the rest while the place stays: that is thrown. */
export async function mustLeavePlace(
  world: World,
  found: FoundSession,
  leaving: Leaving,
): Promise<void> {
  const facts = await leavePlace(world, found, leaving);
  if (facts !== undefined) throw new CannotGoOn(PlaceHolds(facts));
}

async function leave(
  world: World,
  found: FoundSession,
  { force }: Leaving,
): Promise<readonly HeldClone[]> {
  const { repository: own, id, parent } = found.session;
  const opened = need(await openMirrored(world, { repository: own, id: parent?.id ?? id }));
  // A place that is gone holds nothing more, and that the session is closed has arrived here.
  const isLost = await isGone(opened);
  const mirrored = isLost ? opened : await reachMirrored(world, found);
  const lease = await takeFromFollower(world, mirrored);
  try {
    const held = isLost ? [] : await cleared(world, mirrored);
    if (held.length > 0 && force === undefined) return held;
    if (held.length > 0 && force !== undefined) await agreeToLoss(world, held, force);
    if (!isLost) need(await mirrorOnce(world, mirrored));
    // The last move named that place, and nobody else decides any more: the home here owns the session again.
    const { human } = need(await readState(world, found)).state;
    if (human.closed === undefined) throw new CannotGoOn(goneWith(mirrored, found));
    need(await mirrored.executor.destroy(mirrored.place));
    const { repository, state } = mirrored.placed;
    const placed: PlaceJson = { version: 1, repository, state, moved: human.moved?.id };
    // What was heard of the place must not be taken for what happens here.
    need(world.host.files.remove(linkPath(mirrored.home)));
    const text = `${JSON.stringify(placed, undefined, 2)}\n`;
    need(world.host.files.replace(placePath(mirrored.home), Buffer.from(text)));
    return [];
  } finally {
    await lease.release();
  }
}

/** Has a person agree that what clones hold is lost, after they were told what that is. */
export async function agreeToLoss(
  world: World,
  held: readonly HeldClone[],
  { isSure, command }: NonNullable<Leaving["force"]>,
): Promise<void> {
  world.tell(`This will be lost: ${held.flatMap(({ what }) => what).join("; ")}.`);
  need(await confirm(world, { isSure, question: "Go on? [y/N] ", command }));
}

function goneWith({ executor, place }: MirroredSession, { session }: FoundSession) {
  return PlaceGone({ executor: executor.name, place: place.id, session: session.id });
}

async function isGone({ executor, place }: MirroredSession): Promise<boolean> {
  return need(await executor.status(place)).kind === "gone";
}

/** The clones that hold what cannot be saved; all others are gone, and what they held is under references there. */
async function cleared(world: World, mirrored: MirroredSession): Promise<readonly HeldClone[]> {
  const held = await clearSide(world, mirrored, undefined);
  if (held !== undefined) return held;
  const detail = "it did not say what clones there hold";
  throw new CannotGoOn(ExecutorUnreachable({ executor: mirrored.executor.name, detail }));
}
