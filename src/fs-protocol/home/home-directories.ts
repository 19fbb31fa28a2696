import { parentHome, type Home } from "./home.ts";
import type { SessionJson } from "./session-json.ts";

/** The directories of a home that are made with it, each behind the one that it lies in. */
export function homeDirectories({ directory, logs, turns, plans, locks }: Home): readonly string[] {
  return [directory, logs, turns, plans, locks];
}

/**
 * The directories in which a process of a session may have to make a file: those of its home, and of a
 * revision those of the parent, which it tells of its end.
 */
export function writtenDirectories(
  home: Home,
  { parent }: Pick<SessionJson, "parent">,
): readonly string[] {
  const own = homeDirectories(home);
  return parent === undefined ? own : [...homeDirectories(parentHome(home)), ...own];
}
