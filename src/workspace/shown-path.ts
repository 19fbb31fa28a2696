import { basename, dirname, join } from "node:path";
import { revisionNumber, type Home } from "../fs-protocol/home/home.ts";

/** A file's path for people: relative to the home, or starting with `.wisp`. */
export function shownPath(home: Home, path: string): string {
  if (path.startsWith(`${home.directory}/`)) return path.slice(home.directory.length + 1);
  const wisp = dirname(sessionsOf(home));
  return path.startsWith(`${wisp}/`) ? join(basename(wisp), path.slice(wisp.length + 1)) : path;
}

/** The folder of all homes; a revision's home is inside its parent's. */
export function sessionsOf({ directory }: Home): string {
  const above = dirname(directory);
  return revisionNumber(basename(directory)) === undefined ? above : dirname(above);
}
