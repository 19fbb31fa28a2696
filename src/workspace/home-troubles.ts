import { explainedFailure } from "../work/explained-failure.ts";
import { supervisorOutput } from "../agents/supervisor/ensure-supervisor.ts";
import type { Files } from "../base/ports/files.ts";
import type { Home } from "../fs-protocol/home/home.ts";
import { entryKind } from "../host/files/entry-kind.ts";
import { isWritable, probeDisk } from "../host/probe/probe-disk.ts";
import { damagedWayOn, damagedWords } from "./home-failures.ts";
import { homeDamaged } from "./cause-in-home.ts";
import { shorterThanCopy } from "./home/home-shape.ts";
import type { FoundSession } from "./sessions.ts";
import { shellWord } from "../base/words/shell-word.ts";
import { shownPath } from "./shown-path.ts";

/** Enough for a record, a prompt and a plan. */
const FREE_BYTES_MIN = 1024 * 1024;

/** What keeps all roles from working in a session's home, as far as another process can tell, in words. */
export function homeTrouble(found: FoundSession): string | undefined {
  const { directory, logs } = found.home;
  const damaged = homeDamaged(found);
  if (damaged !== undefined) return damagedWords(damaged);
  const missing = shorterThanCopy(found);
  if (missing.length > 0) {
    const named = missing.map((path) => shownPath(found.home, path)).join(", ");
    return `missing or truncated, with a copy left: ${named}; wisp up ${shellWord(found.session.id)} restores it`;
  }
  const free = probeDisk(directory)?.freeBytes ?? Infinity;
  if (free < FREE_BYTES_MIN) {
    const left = `${String(Math.floor(free / 1024))} KiB free`;
    return `the disk of the session is full (${left}): free some space, then continue; no record is lost`;
  }
  // A missing directory is created by the process that needs it.
  if (entryKind(logs) === undefined || isWritable(logs)) return undefined;
  return "the home of the session is not writable: check its owner and how it is mounted, then continue";
}

/** The command that must repair the home before anything else; undefined if none is needed. */
export function homeWayOn(found: FoundSession): string | undefined {
  const damaged = homeDamaged(found);
  return damaged === undefined ? undefined : damagedWayOn(damaged);
}

/**
 * The reason that the last supervisor recorded for its end. Undefined if its log was written to
 * afterwards, because then the reason is about an earlier end.
 */
export function supervisorSaid(files: Files, home: Home): string | undefined {
  const output = supervisorOutput(home);
  const saidMs = files.stat(output)?.changedMs;
  const loggedMs = files.stat(home.supervisorLog)?.changedMs ?? 0;
  return saidMs === undefined || saidMs < loggedMs ? undefined : explainedFailure(files, output, 0);
}
