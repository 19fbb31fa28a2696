import { join } from "node:path";
import { z } from "zod";
import { need } from "../../base/fatal.ts";
import { lateObject } from "../../base/late-object.ts";
import { NonEmpty } from "../../base/plain-values.ts";
import type { Files } from "../../base/ports/files.ts";
import { jsonOf } from "../../base/words/json-text.ts";
import type { Home } from "../../fs-protocol/home/home.ts";

/**
 * `locks/moving.json` in the home of a person's repository: the place that a move is about, as long as `place.json`
 * does not name it. Which step is next does not depend on it.
 */
export const MovingNote = lateObject(() => ({
  version: z.literal(1),
  executor: NonEmpty,
  /** Names the place at the executor. Absent: it was made before. */
  key: NonEmpty.optional(),
  /** The place. Absent: it is not known yet whether it was made. */
  place: z.object({ id: NonEmpty, root: NonEmpty }).optional(),
}));
export type MovingNote = z.infer<typeof MovingNote>;

function movingNotePath({ locks }: Pick<Home, "locks">): string {
  return join(locks, "moving.json");
}

/** The note of a home; undefined if no move is under way. */
export function movingNote(files: Files, home: Pick<Home, "locks">): MovingNote | undefined {
  const bytes = need(files.read(movingNotePath(home)));
  return MovingNote.safeParse(jsonOf(Buffer.from(bytes ?? []).toString("utf8"))).data;
}

/** Writes the note, or removes it. */
export function noteMoving(
  files: Files,
  home: Pick<Home, "locks">,
  note: MovingNote | undefined,
): void {
  const path = movingNotePath(home);
  if (note === undefined) {
    need(files.remove(path));
    return;
  }
  need(files.makeDirectory(home.locks));
  need(files.replace(path, Buffer.from(`${JSON.stringify(note)}\n`)));
}
