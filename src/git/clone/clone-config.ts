import { cleanText } from "../../base/words/clean-text.ts";

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
    // Both are files of the clone that would be believed instead of the commits and the work tree.
    "\tcommitGraph = false",
    "\tuntrackedCache = false",
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

function quoted(value: string): string {
  const line = cleanText(value, { charsMax: 1_000, lines: "one" });
  return `"${line.replace(/[\\"]/gu, "\\$&")}"`;
}
