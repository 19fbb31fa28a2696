import { join, relative } from "node:path";
import type { Oid } from "../../base/oid.ts";
import { sessionHub } from "../../workspace/session/session-hub.ts";
import type { FoundSession } from "../../workspace/sessions.ts";
import { openRecords, unreadWords } from "../../workspace/session/open-records.ts";
import { RecordReader } from "../../workspace/session/record-reader.ts";
import type { World } from "../../workspace/world.ts";
import { knownSession, type KnownSession } from "./known-session.ts";

/** What was read of a session, and what could not be read, in sentences. */
export interface KnownWithGaps {
  readonly known: KnownSession;
  readonly unread: readonly string[];
}

/** Reads all that is on record of a session, and the commits of its branch. Reads on, whatever is damaged. */
export async function readKnownSession(
  world: Pick<World, "host" | "env">,
  found: FoundSession,
): Promise<KnownWithGaps> {
  const { files } = world.host;
  const { home, session } = found;
  const opened = openRecords(files, found);
  const reader = new RecordReader(opened.files, found.home);
  const { records, unread } = reader.read();
  const filesOf = (output: string): readonly string[] => {
    // The name is a word of a log: it must not lead out of the folder.
    if (!/^[\w.-]+$/u.test(output)) return [];
    const [out, err] = [join(home.turns, `${output}.out`), join(home.turns, `${output}.err`)];
    const isThere = files.stat(out) !== undefined;
    // Most turns write nothing to their standard error.
    const isToldMore = (files.stat(err)?.sizeBytes ?? 0) > 0;
    const paths = [...(isThere ? [out] : []), ...(isToldMore ? [err] : [])];
    return paths.map((path) => relative(session.repository, path));
  };
  const { id, branch, base } = session;
  const places = await placesOf(world, found);
  return {
    known: knownSession({ id, branch, base, records, places, filesOf }),
    unread: [...opened.notes, ...[...unread, ...reader.tails()].map(unreadWords)],
  };
}

async function placesOf(
  world: Pick<World, "host" | "env">,
  found: FoundSession,
): Promise<ReadonlyMap<Oid, number> | undefined> {
  const { branch, base } = found.session;
  const hub = sessionHub(world, found);
  const head = await hub.head(branch);
  if (head === undefined) return undefined;
  const commits = await hub.commits(base, head);
  return commits.ok ? new Map(commits.value.map((oid, at) => [oid, at + 1])) : undefined;
}
