import { cleanText } from "../../base/words/clean-text.ts";

/** The author of commits: the user's effective user.name and user.email. */
export interface Identity {
  readonly name: string;
  readonly email: string;
}

/** The parts of the user's configuration that a clone uses. */
export interface UserCloneSettings {
  readonly identity: Identity;
  /** The user's own ignore file: what it keeps out of the user's commits stays out of ours. */
  readonly excludesFile: string | undefined;
  /** Whether what is added under Git LFS becomes a pointer: git-lfs is a part of the user's settings. */
  readonly hasLfs: boolean;
}

/** What the configuration of a clone is made from. */
export interface CloneSettings extends UserCloneSettings {
  /** The folder of the objects that it borrows, beside those that the hub itself borrows. */
  readonly objects: string | undefined;
}

/**
 * git wrote everything before this line when it made the clone, according to the file system it
 * found.
 */
const MARKER = "# Below this line wisp wrote everything, and puts it back when it was changed.";

/**
 * The full text of a clone's configuration file, built from git's original or an earlier version of
 * this text.
 */
export function cloneConfig(written: string, settings: CloneSettings): string {
  const [before = ""] = written.split(MARKER);
  // git's section for the hub as a remote is dropped, so that an engine's own push has no
  // destination.
  const sections = before
    .split(/^(?=\[)/mu)
    .filter((text) => /^\[(?:core|extensions)\]/u.test(text));
  const base = sections.join("");
  const { identity, excludesFile, hasLfs, objects } = settings;
  const lines = [
    "[user]",
    `\tname = ${quoted(identity.name)}`,
    `\temail = ${quoted(identity.email)}`,
    "[core]",
    "\thooksPath = /dev/null",
    "\tfsmonitor = false",
    "\tautocrlf = false",
    // Either file could be forged in the clone, and git would trust it over the commits or the work
    // tree.
    "\tcommitGraph = false",
    "\tuntrackedCache = false",
    ...(excludesFile === undefined ? [] : [`\texcludesFile = ${quoted(excludesFile)}`]),
    // Without it, the content of a file that was just committed would count as a change of its pointer, and be
    // committed in its place. Nothing is put into files here, so that no content is fetched.
    ...(hasLfs ? ['[filter "lfs"]', '\tclean = "git-lfs clean -- %f"'] : []),
    "[commit]",
    "\tgpgSign = false",
    "[tag]",
    "\tgpgSign = false",
    "[gc]",
    "\tauto = 0",
    "[maintenance]",
    "\tauto = false",
    "[uploadpack]",
    // Publishing asks for a commit by its id, not for a branch.
    "\tallowAnySHA1InWant = true",
    // Not for git, which reads it in `alternates`: what a clone borrows is recorded with its settings.
    ...(objects === undefined ? [] : ["[wisp]", `\tobjects = ${quoted(objects)}`]),
  ];
  return `${base.trimEnd()}\n${MARKER}\n${lines.join("\n")}\n`;
}

/** The folder of objects that a clone with this configuration borrows, by wisp's own choice. */
export function borrowedIn(config: string): string | undefined {
  const [, written = ""] = config.split(MARKER);
  return /^\[wisp\]\n\tobjects = "(?<path>[^"\\]+)"$/mu.exec(written)?.groups?.["path"];
}

/** Whether a path keeps its characters in a configuration file, and in a list of alternates. */
export function isPlainPath(path: string): boolean {
  return quoted(path) === `"${path}"`;
}

function quoted(value: string): string {
  const line = cleanText(value, { charsMax: 1_000, lines: "one" });
  return `"${line.replace(/[\\"]/gu, "\\$&")}"`;
}
