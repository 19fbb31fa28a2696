import { lastWords } from "../agents/last-words.ts";
import { supervisorOutput } from "../agents/supervisor/ensure-supervisor.ts";
import type { Files } from "../base/files.ts";
import type { Home } from "../fs-protocol/home.ts";
import { isWritable, probeDisk } from "../host/probe-disk.ts";

/** A record, a prompt and a plan need no more. */
const FREE_BYTES_MIN = 1024 * 1024;

/** What keeps everybody from working in a session's home, as far as one can see from outside; in words. */
export function homeTrouble({ directory, logs }: Home): string | undefined {
  const free = probeDisk(directory)?.freeBytes ?? Infinity;
  if (free < FREE_BYTES_MIN) {
    const left = `${String(Math.floor(free / 1024))} KiB free`;
    return `the disk of the session is full (${left}): make room, then go on; nothing on record is lost`;
  }
  if (isWritable(logs)) return undefined;
  return "the folder of the session cannot be written to: see who owns it and how it is mounted, then go on";
}

/**
 * What the last supervisor said of why it ended. Undefined when its log was written to afterwards:
 * then it said that of another time.
 */
export function supervisorSaid(files: Files, home: Home): string | undefined {
  const output = supervisorOutput(home);
  const saidMs = files.stat(output)?.changedMs;
  const loggedMs = files.stat(home.supervisorLog)?.changedMs ?? 0;
  return saidMs === undefined || saidMs < loggedMs ? undefined : lastWords(files, output, 0);
}
