import { delimiter, dirname, isAbsolute, join } from "node:path";
import type { Clock } from "../../base/ports/clock.ts";
import type { Directories } from "../../base/ports/directories.ts";
import type { Files } from "../../base/ports/files.ts";
import type { Environment } from "../../base/ports/processes.ts";

/** What everything in this folder needs of the world. */
export interface GitContext {
  readonly files: Files;
  readonly directories: Directories;
  readonly clock: Clock;
  /** The environment wisp was started with: PATH, HOME and the user's configuration come from it. */
  readonly environment: Environment;
}

/** Configuration given to every command, because it must win over every file. */
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
  // Version 2 serves any commit that is there by its id; 0 and 1 only the tips of branches.
  "protocol.version=2",
];

/** What simple-git must be told to let through; see `simple-git.ts`. */
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
  "GIT_ATTR_NOSYSTEM",
  "GIT_CONFIG_NOSYSTEM",
  "GIT_CONFIG_GLOBAL",
];

/** How a person tells git to reach a remote by environment alone; kept for pushes to remotes. */
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
 * For commands in the user's repository: their configuration is read (safe.directory, identity,
 * excludes), but nothing of git's own variables comes in from outside. The search for a repository
 * stops at `directory`: were its `.git` gone, git would otherwise work on the repository around it.
 */
export function userEnvironment(environment: Environment, directory: string): Environment {
  return {
    ...withoutGitVariables(environment),
    ...QUIET,
    GIT_ALLOW_PROTOCOL: "file",
    GIT_CEILING_DIRECTORIES: dirname(directory),
  };
}

/** For commands that reach the user's remotes, with the user's own means. */
export function remoteEnvironment(environment: Environment, directory: string): Environment {
  const transport = Object.entries(environment).filter(([name]) => TRANSPORT_NAMES.includes(name));
  return {
    ...withoutGitVariables(environment),
    ...Object.fromEntries(transport),
    ...QUIET,
    GIT_CEILING_DIRECTORIES: dirname(directory),
  };
}

/**
 * For commands in a clone of ours: no configuration but the clone's own file, which `clone-config.ts`
 * keeps as wisp wrote it. So no filter, merge driver, hook, alias or signing of the user's runs. The
 * repository is named outright: an engine that removed `.git` must not send us to one further up.
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
    // Before 2.32 git knows no GIT_CONFIG_GLOBAL and looks below these two.
    HOME: "/dev/null",
    XDG_CONFIG_HOME: "/dev/null",
    ...TRUE_HISTORY,
  };
}

/** Planted replacements and grafts would show us another history than everyone else sees. */
export const TRUE_HISTORY: Environment = {
  GIT_NO_REPLACE_OBJECTS: "1",
  GIT_GRAFT_FILE: "/dev/null",
};

/** Never a question, a pager, an editor, another language, or a lock for a mere look. */
const QUIET: Environment = {
  GIT_TERMINAL_PROMPT: "0",
  GIT_OPTIONAL_LOCKS: "0",
  GIT_PAGER: "cat",
  GIT_EDITOR: ":",
  GIT_SEQUENCE_EDITOR: ":",
  LC_ALL: "C",
};

/** Beside git's own, simple-git refuses to run with any of these. */
const REFUSED_NAMES = ["EDITOR", "VISUAL", "PAGER", "PREFIX", "SSH_ASKPASS"];

function withoutGitVariables(environment: Environment): Environment {
  const kept = Object.entries(environment).filter(
    ([name]) => !name.startsWith("GIT_") && !REFUSED_NAMES.includes(name),
  );
  return { ...Object.fromEntries(kept), ...absolutePath(environment) };
}

/** From a clone, an entry such as `node_modules/.bin` would have us run a program that an engine put there. */
function absolutePath({ PATH }: Environment): Environment {
  if (PATH === undefined) return {};
  const entries = PATH.split(delimiter).filter((entry) => isAbsolute(entry));
  return { PATH: entries.join(delimiter) };
}
