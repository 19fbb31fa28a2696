import { accountHome, homeDirectory } from "../host/system/this-machine.ts";
import { homeFolder, needHomeFolder } from "./home-folder.ts";
import { createHash } from "node:crypto";
import { basename, dirname, isAbsolute, join } from "node:path";
import type { Directories } from "../base/ports/directories.ts";
import { PLACE_VARIABLE } from "../base/ports/executor.ts";
import type { Environment } from "../base/ports/processes.ts";
import { stateFolder, STATE_NAME } from "../fs-protocol/home/state-folder.ts";
import { slugOf } from "./slug.ts";

/**
 * The folder of everything of a repository that does not belong to its checkout: its sessions'
 * clones, caches.
 */
export function repositoryState(env: Environment, repository: string): string {
  const hash = createHash("sha256").update(repository).digest("hex").slice(0, 8);
  const name = [slugOf(basename(repository)), hash].filter((part) => part !== "").join("-");
  return join(stateRoot(env), name);
}

/** The folder of everything that wisp keeps outside of repositories, with a folder for each of them. */
export function stateRoot(env: Environment): string {
  return join(stateHome(env), STATE_NAME);
}

/**
 * The state directory of a new session: outside the checkout, so that the user's globs never match
 * the clones, and outside the temporary directory, so that they survive a reboot. A folder left by
 * an earlier session of the same name is not reused.
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
 * All folders in which wisp may keep its own files, for all repositories: the current one, the
 * default one of each home directory, and the one that the session was created in.
 *
 * @param state of the session, or of a revision of it
 */
export function stateFolders(env: Environment, state: string): readonly string[] {
  const named = [env["HOME"], homeDirectory(), accountHome()];
  const homes = named.filter((path) => path !== undefined).filter(isAbsolute);
  const usual = homes.map((home) => join(home, ".local", "state", STATE_NAME));
  return [...new Set([...usual, stateRoot(env), stateFolder(state)])];
}

/**
 * Where wisp keeps the compiled form of its own program between runs: next to the repositories,
 * under a name that none of them has. Undefined for a user without a home folder.
 */
export function codeDirectory(env: Environment): string | undefined {
  const isKnown = isAbsolute(env["XDG_STATE_HOME"] ?? "") || homeFolder() !== undefined;
  return isKnown ? join(stateRoot(env), ".code") : undefined;
}

/** Where the copies of programs are that processes which live long run from, each in a folder named after its digest. */
export function programsDirectory(env: Environment): string {
  return join(stateRoot(env), ".programs");
}

/**
 * Where the verify trees of all sessions of a person on this machine take their slots. A place has a state directory of
 * its own; the usual ones are below that of the person whose machine it is.
 */
export function slotsDirectory(env: Environment): string {
  const above = dirname(env[PLACE_VARIABLE] ?? "");
  const isUsual = isAbsolute(above) && basename(above) === "places";
  return join(isUsual ? dirname(above) : stateRoot(env), ".slots");
}

/** According to the XDG base directory specification, which ignores relative paths. */
function stateHome(env: Environment): string {
  const configured = env["XDG_STATE_HOME"] ?? "";
  if (isAbsolute(configured)) return configured;
  return join(needHomeFolder(), ".local", "state");
}
