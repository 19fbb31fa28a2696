import { basename } from "node:path";
import { EXIT } from "../../base/exit-code.ts";
import { refusal } from "../../base/failure.ts";
import type { Files } from "../../base/ports/files.ts";
import { fail, ok, type Result } from "../../base/result.ts";
import { jsonOf } from "../../base/words/json-text.ts";
import { shown } from "../../base/words/shown.ts";
import { parentHome, revisionNumber, type Home } from "../../fs-protocol/home/home.ts";
import { mayWriteHere } from "../../session/rules/handover.ts";
import type { Moved } from "../../session/state/fold-human.ts";
import { PlaceJson, placePath } from "../../fs-protocol/home/place-json.ts";

/** A home mirrors a session that runs elsewhere, so nothing here may write to it or work on it. */
export const MirrorIsReadOnly = refusal(
  "mirror-is-read-only",
  EXIT.failure,
  ({ directory, executor }: { readonly directory: string; readonly executor: string }) => [
    `${shown(directory)} mirrors a session that runs on ${shown(executor)}, and is only written there.`,
    "Nothing was changed. To see what it does:",
    "wisp status",
  ],
);
export type MirrorIsReadOnly = ReturnType<typeof MirrorIsReadOnly>;

/** A session moved to another machine, and its home here was left. */
export const MovedAway = refusal(
  "moved-away",
  EXIT.failure,
  ({ directory, to }: { readonly directory: string; readonly to: string }) => [
    `The session of ${shown(directory)} moved to ${shown(to)}, and is only written there.`,
    "Nothing was changed. To see what is known of it here:",
    "wisp status",
  ],
);
export type MovedAway = ReturnType<typeof MovedAway>;

/** Refuses to write to a home whose session moved away, according to its last record of a move. */
export function refuseMoved(
  files: Pick<Files, "read" | "stat">,
  home: Home,
  lastMoved: Moved | undefined,
): Result<void, MovedAway> {
  // Most sessions never move.
  if (lastMoved === undefined) return ok(undefined);
  if (mayWriteHere({ lastMoved, place: readPlace(files, home) })) return ok(undefined);
  return fail(MovedAway({ directory: home.directory, to: lastMoved.to }));
}

/** What `place.json` says of a home; undefined if it was made here. */
function readPlace(files: Pick<Files, "read" | "stat">, home: Home): PlaceJson | undefined {
  const isRevision = revisionNumber(basename(home.directory)) !== undefined;
  const path = placePath(isRevision ? parentHome(home) : home);
  if (files.stat(path) === undefined) return undefined;
  const read = files.read(path);
  const text = read.ok ? Buffer.from(read.value ?? []).toString("utf8") : "";
  return PlaceJson.safeParse(jsonOf(text), { jitless: true }).data;
}

/** Refuses to write to a home that mirrors a session. */
export function refuseMirror(
  files: Pick<Files, "read" | "stat">,
  home: Home,
): Result<void, MirrorIsReadOnly> {
  const mirrors = readPlace(files, home)?.mirrors;
  if (mirrors === undefined) return ok(undefined);
  const { executor } = mirrors;
  return fail(MirrorIsReadOnly({ directory: home.directory, executor }));
}
