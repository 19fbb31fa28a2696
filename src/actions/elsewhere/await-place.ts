import { EXIT } from "../../base/exit-code.ts";
import { refusal } from "../../base/failure.ts";
import { PLACE_DOWN_MS_MAX, PLACE_LOOK_MS } from "../../base/limits.ts";
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

/** A place was made, and no command runs there. */
export const PlaceDown = refusal(
  "place-down",
  EXIT.failure,
  ({
    executor,
    place,
    reason,
  }: {
    readonly executor: string;
    readonly place: string;
    readonly reason: string;
  }) => [
    `No command runs at the place ${shown(place)} on ${shown(executor)}: ${shown(reason)}.`,
    "The place was made, and is still there. Correct that, then run the same command again: it goes on with that place.",
  ],
);

/**
 * Makes a place, or finds the one with this key, and waits until commands can run there. Says what it waits for. A
 * caller that has others to look after is told with `PlaceWaits` instead. Throws `PlaceDown` if nothing runs there for
 * `PLACE_DOWN_MS_MAX`, or to such a caller at once.
 */
export async function awaitPlace(
  { host: { clock }, tell }: Pick<World, "tell"> & { readonly host: Pick<World["host"], "clock"> },
  executor: Executor,
  { isPatient, ...wishes }: PlaceWishes & { readonly isPatient: boolean },
): Promise<Place> {
  const place = need(await executor.create(wishes));
  const { name } = executor;
  /** When it was last to be expected that something will run there. */
  let expectedMs = clock.nowMs();
  for (let told = ""; ;) {
    const state = need(await executor.status(place));
    if (state.kind === "up") return place;
    if (state.kind === "gone") {
      throw new CannotGoOn(PlaceGone({ executor: name, place: place.id }));
    }
    const { reason } = state;
    if (state.kind === "waiting") expectedMs = clock.nowMs();
    const isLost = clock.nowMs() - expectedMs >= PLACE_DOWN_MS_MAX || !isPatient;
    if (state.kind === "down" && isLost) {
      throw new CannotGoOn(PlaceDown({ executor: name, place: place.id, reason }));
    }
    if (!isPatient) throw new CannotGoOn(PlaceWaits({ executor: name, reason }));
    if (reason !== told) tell(`Waiting for ${name}: ${reason}`);
    told = reason;
    await clock.sleep(PLACE_LOOK_MS);
  }
}
