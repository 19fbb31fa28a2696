import { join } from "node:path";
import { DOCUMENT_BYTES_MAX } from "../../base/limits.ts";
import { DOCUMENTS, type DocumentPlace } from "../actions.ts";
import type { World } from "../../workspace/world.ts";
import { allSessions } from "../../workspace/find-session.ts";

/** The files of all sessions that a model may read. */
export function listDocuments({ host, cwd }: World): readonly DocumentPlace[] {
  const all = allSessions(host.files, cwd);
  if (!all.ok) return [];
  return all.value.sessions.flatMap(({ session, home }) =>
    DOCUMENTS.filter((name) => host.files.stat(join(home.directory, name)) !== undefined).map(
      (name) => ({ session: session.id, name }),
    ),
  );
}

/**
 * Reads one of them. The session is looked up by its id among the existing ones; no path is built
 * from the id.
 */
export function readDocument(
  { host, cwd }: World,
  { session: id, name }: DocumentPlace,
): string | undefined {
  const all = allSessions(host.files, cwd);
  const found = all.ok ? all.value.sessions.find(({ session }) => session.id === id) : undefined;
  if (found === undefined) return undefined;
  const read = host.files.read(join(found.home.directory, name), DOCUMENT_BYTES_MAX);
  return read.ok && read.value !== undefined ? Buffer.from(read.value).toString("utf8") : undefined;
}
