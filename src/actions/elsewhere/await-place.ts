import { PLACE_LOOK_MS } from "../../base/limits.ts";
import { CannotGoOn, need } from "../../base/fatal.ts";
import {
  PlaceGone,
  type Executor,
  type Place,
  type PlaceWishes,
} from "../../base/ports/executor.ts";
import type { World } from "../../workspace/world.ts";

/** Makes a place, or finds the one with this key, and waits until commands can run there. Says what it waits for. */
export async function awaitPlace(
  { host: { clock }, tell }: Pick<World, "host" | "tell">,
  executor: Executor,
  wishes: PlaceWishes,
): Promise<Place> {
  const place = need(await executor.create(wishes));
  for (let told = ""; ;) {
    const state = need(await executor.status(place));
    if (state.kind === "up") return place;
    if (state.kind === "gone") {
      throw new CannotGoOn(PlaceGone({ executor: executor.name, place: place.id }));
    }
    if (state.reason !== told) tell(`Waiting for ${executor.name}: ${state.reason}`);
    told = state.reason;
    await clock.sleep(PLACE_LOOK_MS);
  }
}
