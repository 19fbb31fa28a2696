import { join } from "node:path";
import type { GitFailure } from "../base/repo.ts";
import { fail, ok, type Result } from "../base/result.ts";
import { cleanText } from "../fs-protocol/clean-text.ts";
import type { GitContext } from "./git-environment.ts";
import { fileAsGitFailure, gitFailure } from "./git-failure.ts";

/** Who commits: the effective user.name and user.email of the person. */
export interface Identity {
  readonly name: string;
  readonly email: string;
}

/** What of the user's configuration a clone takes over. */
export interface CloneSettings {
  readonly identity: Identity;
  /** Their own list of files to ignore: what it keeps out of their commits stays out of ours. */
  readonly excludesFile: string | undefined;
}

/** Everything before this line is what git found out about the file system when it made the clone. */
const MARKER = "# Below this line wisp wrote everything, and puts it back when it was changed.";

/** The whole text of a clone's configuration file, from what git wrote or from an older such text. */
export function cloneConfig(written: string, settings: CloneSettings): string {
  const [before = ""] = written.split(MARKER);
  // What git wrote of the hub as a remote is left out: an engine's own push has nowhere to go.
  const sections = before
    .split(/^(?=\[)/mu)
    .filter((text) => /^\[(?:core|extensions)\]/u.test(text));
  const base = sections.join("");
  const { identity, excludesFile } = settings;
  const lines = [
    "[user]",
    `\tname = ${quoted(identity.name)}`,
    `\temail = ${quoted(identity.email)}`,
    "[core]",
    "\thooksPath = /dev/null",
    "\tfsmonitor = false",
    "\tautocrlf = false",
    ...(excludesFile === undefined ? [] : [`\texcludesFile = ${quoted(excludesFile)}`]),
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
  ];
  return `${base.trimEnd()}\n${MARKER}\n${lines.join("\n")}\n`;
}

/**
 * Puts back the configuration of a clone when an engine or a setup command has changed it: a planted
 * filter, `core.fsmonitor` or `core.worktree` would otherwise run, or send a clean-up elsewhere, with
 * wisp's rights. Costs a few file reads, so it comes before every command.
 */
export function restoreConfig(
  context: Pick<GitContext, "files" | "directories">,
  directory: string,
  expected: string,
): Result<void, GitFailure> {
  const { files, directories } = context;
  const git = join(directory, ".git");
  if (directories.kindOf(git) !== "directory") {
    return fail(gitFailure("open", directory, "the clone has lost its .git directory"));
  }
  // It would have the configuration read from another place.
  const redirect = join(git, "commondir");
  if (directories.kindOf(redirect) !== undefined) {
    const removed = directories.removeTree(redirect);
    if (!removed.ok) return fail(fileAsGitFailure("open", removed.failure));
  }
  const path = join(git, "config");
  const present = files.read(path);
  const wanted = Buffer.from(expected);
  if (present.ok && present.value !== undefined && wanted.equals(present.value)) {
    return ok(undefined);
  }
  directories.removeTree(path);
  const replaced = files.replace(path, wanted);
  return replaced.ok ? ok(undefined) : fail(fileAsGitFailure("open", replaced.failure));
}

function quoted(value: string): string {
  const line = cleanText(value, { charsMax: 1_000, lines: "one" });
  return `"${line.replace(/[\\"]/gu, "\\$&")}"`;
}
