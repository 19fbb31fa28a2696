import { EXIT } from "../../base/exit-code.ts";
import { refusal } from "../../base/failure.ts";
import { PLACE_LOOK_MS } from "../../base/limits.ts";
import { shown } from "../../base/words/shown.ts";
import { CannotGoOn, need } from "../../base/fatal.ts";
import {
  PlaceGone,
  type Executor,
  type Place,
  type PlaceWishes,
} from "../../base/ports/executor.ts";
import type { World } from "../../workspace/world.ts";

/** A place was asked for, and nothing runs there yet. */
export const PlaceWaits = refusal(
  "place-waits",
  EXIT.failure,
  ({ executor, reason }: { readonly executor: string; readonly reason: string }) => [
    `${shown(executor)} has not begun yet: ${shown(reason)}.`,
    "The place was asked for. The same command goes on as soon as something can run there.",
  ],
);

/**
 * Makes a place, or finds the one with this key, and waits until commands can run there. Says what it waits for. A
 * caller that has others to look after is told with `PlaceWaits` instead.
 */
export async function awaitPlace(
  { host: { clock }, tell }: Pick<World, "host" | "tell">,
  executor: Executor,
  { isPatient, ...wishes }: PlaceWishes & { readonly isPatient: boolean },
): Promise<Place> {
  const place = need(await executor.create(wishes));
  for (let told = ""; ;) {
    const state = need(await executor.status(place));
    if (state.kind === "up") return place;
    if (state.kind === "gone") {
      throw new CannotGoOn(PlaceGone({ executor: executor.name, place: place.id }));
    }
    if (!isPatient) {
      throw new CannotGoOn(PlaceWaits({ executor: executor.name, reason: state.reason }));
    }
    if (state.reason !== told) tell(`Waiting for ${executor.name}: ${state.reason}`);
    told = state.reason;
    await clock.sleep(PLACE_LOOK_MS);
  }
}
