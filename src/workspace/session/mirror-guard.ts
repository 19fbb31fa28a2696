import { basename } from "node:path";
import { EXIT } from "../../base/exit-code.ts";
import { refusal } from "../../base/failure.ts";
import type { Files } from "../../base/ports/files.ts";
import { fail, ok, type Result } from "../../base/result.ts";
import { jsonOf } from "../../base/words/json-text.ts";
import { shown } from "../../base/words/shown.ts";
import { parentHome, revisionNumber, type Home } from "../../fs-protocol/home/home.ts";
import { PlaceJson, placePath, type FarPlace } from "../../fs-protocol/home/place-json.ts";

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

/** Where the session of a home runs, if that is elsewhere. */
function placeMirrored(files: Pick<Files, "read" | "stat">, home: Home): FarPlace | undefined {
  const isRevision = revisionNumber(basename(home.directory)) !== undefined;
  const path = placePath(isRevision ? parentHome(home) : home);
  if (files.stat(path) === undefined) return undefined;
  const read = files.read(path);
  const text = read.ok ? Buffer.from(read.value ?? []).toString("utf8") : "";
  return PlaceJson.safeParse(jsonOf(text), { jitless: true }).data?.mirrors;
}

/** Refuses to write to a home that mirrors a session. */
export function refuseMirror(
  files: Pick<Files, "read" | "stat">,
  home: Home,
): Result<void, MirrorIsReadOnly> {
  const mirrors = placeMirrored(files, home);
  if (mirrors === undefined) return ok(undefined);
  const { executor } = mirrors;
  return fail(MirrorIsReadOnly({ directory: home.directory, executor }));
}
