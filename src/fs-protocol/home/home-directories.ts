import { parentHome, type Home } from "./home.ts";
import type { SessionJson } from "./session-json.ts";

/** The directories that are created with a home, parents before children. */
export function homeDirectories({ directory, logs, turns, plans, locks }: Home): readonly string[] {
  return [directory, logs, turns, plans, locks];
}

/**
 * The directories in which a session's process may have to create files: those of its home, and for
 * a revision also those of the parent, to which it reports its end.
 */
export function writtenDirectories(
  home: Home,
  { parent }: Pick<SessionJson, "parent">,
): readonly string[] {
  const own = homeDirectories(home);
  return parent === undefined ? own : [...homeDirectories(parentHome(home)), ...own];
}
