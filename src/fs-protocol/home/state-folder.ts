import { basename, dirname } from "node:path";

/** Name of wisp's folder in the state directory of all programs. */
export const STATE_NAME = "wisp";

/**
 * The folder of everything that wisp keeps for a user on this machine: the ancestor of a session's state that has
 * wisp's name, at any level; if there is none, the state itself.
 */
export function stateFolder(state: string): string {
  for (let at = dirname(state); at !== dirname(at); at = dirname(at)) {
    if (basename(at) === STATE_NAME) return at;
  }
  return state;
}
