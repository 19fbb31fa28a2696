import { need } from "../base/fatal.ts";
import type { Files } from "../base/ports/files.ts";
import type { Result } from "../base/result.ts";
import type { FileFailure } from "../base/ports/files.ts";
import { sessionCopyPath } from "../fs-protocol/home/copy-path.ts";
import { encodeSession, type SessionJson } from "../fs-protocol/home/session-json.ts";

interface SessionOf {
  readonly session: SessionJson;
}

/** Creates the copy of `session.json` outside the home if it is missing: earlier versions of wisp made none. */
export function ensureSessionCopy(files: Files, { session }: SessionOf): void {
  const path = sessionCopyPath(session);
  if (files.stat(path) !== undefined) return;
  need(files.makeDirectory(session.state));
  need(writeSessionCopy(files, { session }));
}

/** Writes the copy of `session.json`; its directory must exist. */
export function writeSessionCopy(
  files: Pick<Files, "replace">,
  { session }: SessionOf,
): Result<void, FileFailure> {
  return files.replace(sessionCopyPath(session), Buffer.from(encodeSession(session)));
}
