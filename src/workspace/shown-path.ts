import { basename, dirname, join } from "node:path";
import { revisionNumber, type Home } from "../fs-protocol/home/home.ts";

/** Path of a file for people: from the home on, or from `.wisp` on. */
export function shownPath(home: Home, path: string): string {
  if (path.startsWith(`${home.directory}/`)) return path.slice(home.directory.length + 1);
  const wisp = dirname(sessionsOf(home));
  return path.startsWith(`${wisp}/`) ? join(basename(wisp), path.slice(wisp.length + 1)) : path;
}

/** The folder of all homes: that of a revision lies in its parent's. */
export function sessionsOf({ directory }: Home): string {
  const above = dirname(directory);
  return revisionNumber(basename(directory)) === undefined ? above : dirname(above);
}
