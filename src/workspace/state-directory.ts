import { accountHome, homeDirectory } from "../host/system/this-machine.ts";
import { createHash } from "node:crypto";
import { basename, dirname, isAbsolute, join } from "node:path";
import type { Directories } from "../base/ports/directories.ts";
import type { Environment } from "../base/ports/processes.ts";
import { slugOf } from "./slug.ts";

/** Of wisp's folder in that of all programs. */
const NAME = "wisp";

/** Where everything of a repository is kept that does not belong to its checkout: its sessions' clones, caches. */
export function repositoryState(env: Environment, repository: string): string {
  const hash = createHash("sha256").update(repository).digest("hex").slice(0, 8);
  const name = [slugOf(basename(repository)), hash].filter((part) => part !== "").join("-");
  return join(stateHome(env), NAME, name);
}

/**
 * Where the clones of a new session go: outside the checkout, so that the user's globs never meet
 * them, and outside the temporary directory, so that a reboot leaves them alone. What an earlier
 * session of the same name left there is not taken for its own.
 */
export function stateDirectory(
  directories: Pick<Directories, "kindOf">,
  env: Environment,
  { repository, id }: { readonly repository: string; readonly id: string },
): string {
  const parent = repositoryState(env, repository);
  for (let number = 1; ; number++) {
    const directory = join(parent, number === 1 ? id : `${id}.${String(number)}`);
    if (directories.kindOf(directory) === undefined) return directory;
  }
}

/**
 * Folders in which wisp keeps what is its own, of all repositories: the one of now, the one of a home, and the one
 * that a session was made in.
 *
 * @param state of the session, or of a revision of it
 */
export function stateFolders(env: Environment, state: string): readonly string[] {
  const homes = [env["HOME"] ?? "", homeDirectory(), accountHome()].filter(isAbsolute);
  const usual = homes.map((home) => join(home, ".local", "state", NAME));
  return [...new Set([...usual, join(stateHome(env), NAME), folderOf(state)])];
}

/** The folder of this name that a session's state is in, however deep; else the state alone. */
function folderOf(state: string): string {
  for (let at = dirname(state); at !== dirname(at); at = dirname(at)) {
    if (basename(at) === NAME) return at;
  }
  return state;
}

/** As the XDG base directory specification has it: a path that is not absolute is passed over. */
function stateHome(env: Environment): string {
  const configured = env["XDG_STATE_HOME"] ?? "";
  if (isAbsolute(configured)) return configured;
  const home = isAbsolute(homeDirectory()) ? homeDirectory() : accountHome();
  return join(home, ".local", "state");
}
