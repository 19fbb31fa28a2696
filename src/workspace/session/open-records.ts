import type { Files } from "../../base/ports/files.ts";
import { LOG_NAMES } from "../../base/role.ts";
import { logPath } from "../../fs-protocol/home/home.ts";
import { lostLogs, shorterThanCopy, wholeView } from "../home/home-shape.ts";
import { shownPath } from "../shown-path.ts";
import type { FoundSession } from "../sessions.ts";
import type { Unread } from "./record-reader.ts";

/** The logs of a session, ready to be read. */
export interface OpenRecords {
  /** Shows a log that was removed or shortened as its copy is. */
  readonly files: Files;
  /** What is wrong with whole logs, in sentences for people. */
  readonly notes: readonly string[];
}

/**
 * Opens the logs of a session, whatever state its home is in. A log that was removed or shortened is read from its
 * copy, if there is one.
 */
export function openRecords(files: Files, found: FoundSession): OpenRecords {
  const { home } = found;
  const logs = LOG_NAMES.map((log) => logPath(home, log));
  const shorter = shorterThanCopy(found).filter((path) => logs.includes(path));
  const notes = [
    ...shorter.map((path) => `${shownPath(home, path)} is shorter than its copy, which is read.`),
    ...lostLogs(found).map((path) => `${shownPath(home, path)} is gone, and has no copy.`),
  ];
  return { files: wholeView(files, found), notes };
}

/** What could not be read, as one sentence. */
export function unreadWords({ log, offsetBytes, problem }: Unread): string {
  const line = offsetBytes === undefined ? "" : `: the line at byte ${String(offsetBytes)}`;
  return `logs/${log}.log${line} ${problem}.`;
}
