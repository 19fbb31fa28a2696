import { delimiter, dirname, isAbsolute, join } from "node:path";
import type { Clock } from "../../base/ports/clock.ts";
import type { Directories } from "../../base/ports/directories.ts";
import type { Files } from "../../base/ports/files.ts";
import { GIT_SETTINGS_NAMES } from "../../base/git-settings.ts";
import type { Environment } from "../../base/ports/processes.ts";

/** The ports and environment that the git layer needs. */
export interface GitContext {
  readonly files: Files;
  readonly directories: Directories;
  readonly clock: Clock;
  /**
   * The environment that wisp was started with, which provides PATH, HOME and the user's
   * configuration.
   */
  readonly environment: Environment;
}

/** Configuration passed to every command, because it must override every file. */
export const OVERRIDES: readonly string[] = [
  "core.hooksPath=/dev/null",
  "core.fsmonitor=false",
  "core.quotePath=false",
  "commit.gpgSign=false",
  "tag.gpgSign=false",
  "push.gpgSign=false",
  "gc.auto=0",
  "maintenance.auto=false",
  "fetch.writeCommitGraph=false",
  "submodule.recurse=false",
  // The mere folder of recorded conflicts turns their recording on, and git follows links below it.
  "rerere.enabled=false",
  // How a person likes to see commits and changes: wisp reads what git prints.
  "log.showSignature=false",
  "i18n.logOutputEncoding=UTF-8",
  "i18n.commitEncoding=UTF-8",
  "status.showUntrackedFiles=normal",
  // Version 2 serves any commit by its id; versions 0 and 1 serve only the tips of branches.
  "protocol.version=2",
];

/** Variables that simple-git refuses unless they are allowed; see `simple-git.ts`. */
export const GUARDED_NAMES: readonly string[] = [
  "GIT_TERMINAL_PROMPT",
  "GIT_OPTIONAL_LOCKS",
  "GIT_ALLOW_PROTOCOL",
  "GIT_CEILING_DIRECTORIES",
  "GIT_EDITOR",
  "GIT_SEQUENCE_EDITOR",
  "GIT_PAGER",
  "GIT_NO_REPLACE_OBJECTS",
  "GIT_GRAFT_FILE",
  "GIT_DIR",
  "GIT_WORK_TREE",
  "GIT_LFS_FORCE_PROGRESS",
  ...GIT_SETTINGS_NAMES,
];

/** Variables by which a user tells git how to reach a remote; kept for pushes to remotes. */
export const TRANSPORT_NAMES: readonly string[] = [
  "GIT_SSH",
  "GIT_SSH_COMMAND",
  "GIT_SSH_VARIANT",
  "GIT_ASKPASS",
  "GIT_SSL_CAINFO",
  "GIT_SSL_CAPATH",
  "GIT_SSL_NO_VERIFY",
  "SSH_ASKPASS",
];

/**
 * For commands in the user's repository. git reads the user's configuration (safe.directory,
 * identity, excludes), also where variables say that it is elsewhere, but no other of git's own
 * variables come from outside. The search for a repository stops at `directory`: if its `.git` were
 * gone, git would otherwise use the repository around it.
 */
export function userEnvironment(environment: Environment, directory: string): Environment {
  return {
    ...withoutGitVariables(environment),
    ...settingsOf(environment),
    ...QUIET,
    GIT_ALLOW_PROTOCOL: "file",
    GIT_CEILING_DIRECTORIES: dirname(directory),
  };
}

/** For commands that reach the user's remotes, with the user's own transport settings. */
export function remoteEnvironment(environment: Environment, directory: string): Environment {
  const transport = Object.entries(environment).filter(([name]) => TRANSPORT_NAMES.includes(name));
  return {
    ...withoutGitVariables(environment),
    ...settingsOf(environment),
    ...Object.fromEntries(transport),
    ...QUIET,
    GIT_CEILING_DIRECTORIES: dirname(directory),
  };
}

/** Variables that name another repository than the one in the working directory: `git rev-parse --local-env-vars`. */
const REPOSITORY_NAMES =
  /^GIT_(?:ALTERNATE_OBJECT_DIRECTORIES|CONFIG|CONFIG_(?:PARAMETERS|COUNT|KEY_\d+|VALUE_\d+)|OBJECT_DIRECTORY|DIR|WORK_TREE|IMPLICIT_WORK_TREE|GRAFT_FILE|INDEX_FILE|NO_REPLACE_OBJECTS|REPLACE_REF_BASE|PREFIX|SHALLOW_FILE|COMMON_DIR)$/u;

/**
 * For what a person's own git runs for them, such as a hook: everything as in their shell, but for variables that
 * name another repository, and for settings at a path that is not absolute.
 */
export function personEnvironment(environment: Environment): Environment {
  const kept = Object.entries(environment).filter(
    ([name]) => !REPOSITORY_NAMES.test(name) && !GIT_SETTINGS_NAMES.includes(name),
  );
  return { ...Object.fromEntries(kept), ...settingsOf(environment) };
}

/**
 * For commands in a clone. git reads only the clone's own configuration file, which
 * `clone-config.ts` keeps as wisp wrote it, so none of the user's filters, merge drivers, hooks,
 * aliases or signing run. The repository is named explicitly: if an engine removes `.git`, git must
 * not use one further up.
 */
export function cloneEnvironment(environment: Environment, directory: string): Environment {
  return {
    ...withoutGitVariables(environment),
    ...QUIET,
    GIT_ALLOW_PROTOCOL: "file",
    GIT_DIR: join(directory, ".git"),
    GIT_WORK_TREE: directory,
    GIT_CONFIG_NOSYSTEM: "1",
    GIT_CONFIG_GLOBAL: "/dev/null",
    GIT_ATTR_NOSYSTEM: "1",
    // git before 2.32 does not know GIT_CONFIG_GLOBAL, and reads configuration below these two.
    HOME: "/dev/null",
    XDG_CONFIG_HOME: "/dev/null",
    ...TRUE_HISTORY,
  };
}

/**
 * Ignores planted replacements and grafts, which would show wisp a different history than everyone
 * else sees.
 */
export const TRUE_HISTORY: Environment = {
  GIT_NO_REPLACE_OBJECTS: "1",
  GIT_GRAFT_FILE: "/dev/null",
};

/**
 * Prevents prompts, pagers, editors, translated messages, and locks for commands that only read.
 */
const QUIET: Environment = {
  GIT_TERMINAL_PROMPT: "0",
  GIT_OPTIONAL_LOCKS: "0",
  GIT_PAGER: "cat",
  GIT_EDITOR: ":",
  GIT_SEQUENCE_EDITOR: ":",
  LC_ALL: "C",
};

/** Variables besides git's own with which simple-git refuses to run. */
const REFUSED_NAMES = ["EDITOR", "VISUAL", "PAGER", "PREFIX", "SSH_ASKPASS"];

function withoutGitVariables(environment: Environment): Environment {
  const kept = Object.entries(environment).filter(
    ([name]) => !name.startsWith("GIT_") && !REFUSED_NAMES.includes(name),
  );
  return { ...Object.fromEntries(kept), ...absolutePath(environment) };
}

/** Where the user's configuration is; a path that is not absolute would be another one in each directory. */
function settingsOf(environment: Environment): Environment {
  const kept = Object.entries(environment).filter(
    ([name, value]) =>
      GIT_SETTINGS_NAMES.includes(name) && (name.endsWith("NOSYSTEM") || isAbsolute(value)),
  );
  return Object.fromEntries(kept);
}

/**
 * Keeps only absolute entries: inside a clone, `node_modules/.bin` could hold programs that an
 * engine put there.
 */
function absolutePath({ PATH }: Environment): Environment {
  if (PATH === undefined) return {};
  const entries = PATH.split(delimiter).filter((entry) => isAbsolute(entry));
  return { PATH: entries.join(delimiter) };
}
