import { need } from "../../base/fatal.ts";
import type { Files } from "../../base/ports/files.ts";
import type { Result } from "../../base/result.ts";
import type { FileFailure } from "../../base/ports/files.ts";
import { sessionCopyPath } from "../../fs-protocol/home/kept-copy.ts";
import { encodeSession, type SessionJson } from "../../fs-protocol/home/session-json.ts";

interface Kept {
  readonly session: SessionJson;
}

/** Makes sure that there is a copy of `session.json` outside of the home; an earlier wisp made none. */
export function ensureSessionCopy(files: Files, { session }: Kept): void {
  const path = sessionCopyPath(session);
  if (files.stat(path) !== undefined) return;
  need(files.makeDirectory(session.state));
  need(writeSessionCopy(files, { session }));
}

/** Writes that copy; its directory has to be there. */
export function writeSessionCopy(
  files: Pick<Files, "replace">,
  { session }: Kept,
): Result<void, FileFailure> {
  return files.replace(sessionCopyPath(session), Buffer.from(encodeSession(session)));
}
