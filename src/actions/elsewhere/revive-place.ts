import { CannotGoOn, need } from "../../base/fatal.ts";
import { PLACE_LOOK_MS } from "../../base/limits.ts";
import {
  ExecutorUnreachable,
  PlaceGone,
  type Executor,
  type Place,
} from "../../base/ports/executor.ts";
import { placePath, type PlaceJson } from "../../fs-protocol/home/place-json.ts";
import type { MirroredSession } from "../../remote/follow/mirrored-session.ts";
import { openExecutor } from "../../remote/open-executor.ts";
import type { World } from "../../workspace/world.ts";
import { takeFromFollower } from "./take-from-follower.ts";

/**
 * Before a person's command goes to a place: starts again what carries it, if that was ended and its files may be there
 * still, waits until commands run there, and notes where it is now. Throws what the person has to know if it is lost.
 */
export async function revivePlace(
  world: World,
  mirrored: MirroredSession,
): Promise<MirroredSession> {
  const { executor, place, placed, home } = mirrored;
  if (executor.revive === undefined) return mirrored;
  const state = await executor.status(place);
  // What cannot be reached now is tried again by the command itself.
  if (!state.ok || state.value.kind === "up" || state.value.kind === "waiting") return mirrored;
  const { wishes } = need(await openExecutor(world, executor.name));
  const revived = need(await executor.revive(place, wishes));
  await untilUp(world, executor, { was: place, is: revived });
  world.tell(`The place of ${mirrored.id} on ${executor.name} was started again.`);
  if (revived.id === place.id) return mirrored;
  const mirrors = { executor: executor.name, ...revived };
  const now: PlaceJson = { ...placed, mirrors };
  const text = `${JSON.stringify(now, undefined, 2)}\n`;
  // One that still follows the old place would keep the next one from beginning.
  const lease = await takeFromFollower(world, mirrored);
  try {
    need(world.host.files.replace(placePath(home), Buffer.from(text)));
  } finally {
    await lease.release();
  }
  return { ...mirrored, placed: now, place: revived };
}

/** Waits until a place is up. */
async function untilUp(
  { host: { clock }, tell }: Pick<World, "host" | "tell">,
  executor: Executor,
  { was, is }: { readonly was: Place; readonly is: Place },
): Promise<void> {
  const isOther = is.id !== was.id;
  for (let told = ""; ;) {
    const state = need(await executor.status(is));
    if (state.kind === "up") return;
    if (state.kind === "down" && !isOther) {
      const { name } = executor;
      throw new CannotGoOn(ExecutorUnreachable({ executor: name, detail: state.reason }));
    }
    if (state.kind !== "waiting") throw await lost(executor, { was, is });
    if (state.reason !== told) tell(`Waiting for ${executor.name}: ${state.reason}`);
    told = state.reason;
    await clock.sleep(PLACE_LOOK_MS);
  }
}

/** A place of which the files are not there any more; a job that was asked for in vain is ended. */
async function lost(
  executor: Executor,
  { was, is }: { readonly was: Place; readonly is: Place },
): Promise<CannotGoOn> {
  if (is.id !== was.id) need(await executor.destroy(is));
  return new CannotGoOn(PlaceGone({ executor: executor.name, place: was.id }));
}
