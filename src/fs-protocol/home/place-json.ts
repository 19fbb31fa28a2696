import { join } from "node:path";
import { z } from "zod";
import { lateObject } from "../../base/late-object.ts";
import { NonEmpty } from "../../base/plain-values.ts";
import type { Home } from "./home.ts";

/** Where a place is, as its executor finds it again. */
export const FarPlace = z.object({
  /** The executor, as a person writes it after `--on`. */
  executor: NonEmpty,
  /** The executor's own name for the place. */
  id: NonEmpty,
  /** Absolute path there of everything that wisp put there. */
  root: NonEmpty,
});
export type FarPlace = z.infer<typeof FarPlace>;

/**
 * `place.json`: what depends on the machine on which a home is, and not on its session. Never
 * mirrored, like `locks/`. Absent: the home was made here and has never moved.
 */
export const PlaceJson = lateObject(() => ({
  version: z.literal(1),
  /** The work tree and the state directory of the session here, which replace those in `session.json`. */
  repository: NonEmpty,
  state: NonEmpty,
  /** The id of the `moved` record by which this machine became the owner. Absent: it was made here. */
  moved: NonEmpty.optional(),
  /** The branch that was asked for when the session was started: the other machine cannot name another one. */
  branch: NonEmpty.optional(),
  /** The session runs there, and this home only mirrors it. */
  mirrors: FarPlace.optional(),
}));
export type PlaceJson = z.infer<typeof PlaceJson>;

/** The path of a home's `place.json`. A revision shares that of the session that it revises. */
export function placePath({ directory }: Pick<Home, "directory">): string {
  return join(directory, "place.json");
}
