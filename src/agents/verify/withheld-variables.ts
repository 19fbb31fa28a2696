import type { CommittedText, TextBounds } from "../../base/ports/repo.ts";
import { inheritedBy } from "../../engines/run/cli-environment.ts";

/** What of the tracked files is looked through. */
export const SEARCH_BOUNDS: TextBounds = {
  filesMax: 5_000,
  fileBytesMax: 256 * 1024,
  allBytesMax: 16 * 1024 * 1024,
};
const NAMES_MAX = 20;

/** Those of wisp itself, and those that npm tells a script of it. */
const NOT_PERSONS = /^(?:WISP_|npm_(?!config_))/;

/** Every shell has these, or sets them: who mentions one does not miss the person's. */
const SHELLS_OWN = new Set([
  ...["PWD", "OLDPWD", "INIT_CWD", "SHLVL", "HOSTNAME", "COLUMNS", "LINES", "_", "TMPDIR", "TMP"],
  // Of whom wisp was started by.
  ...["EDITOR", "VISUAL", "PAGER", "NODE", "COLOR"],
  ...["TEMP", "PS1", "PS2", "IFS", "OPTIND", "RANDOM", "SECONDS", "UID", "EUID", "PPID"],
]);

/**
 * The names of variables that a person's environment has and a command of the project does not see, sorted.
 * Those that are empty, are of every shell, or are no words, are left out.
 *
 * @param named variables that the settings name for commands; a `*` at the end of a name is any rest
 */
export function withheldVariables(
  environment: Readonly<Record<string, string>>,
  named: readonly string[],
): readonly string[] {
  const seen = inheritedBy(named, environment);
  const withheld = Object.entries(environment).filter(
    ([name, value]) =>
      value !== "" &&
      /^[A-Za-z_]\w*$/.test(name) &&
      !SHELLS_OWN.has(name) &&
      !NOT_PERSONS.test(name) &&
      !Object.hasOwn(seen, name),
  );
  return withheld.map(([name]) => name).sort();
}

/**
 * Which of the given variables are mentioned, as whole words, by tracked files: what a red command may have
 * missed. Sorted, at most 20; so many files and bytes are looked through, and no more are asked for.
 *
 * @param withheld names as `withheldVariables` gives them
 */
export function mentionedVariables(
  files: Iterable<CommittedText>,
  withheld: readonly string[],
): readonly string[] {
  const missing = new Set(withheld);
  if (missing.size === 0) return [];
  const mentioned = new Set<string>();
  const { filesMax, fileBytesMax, allBytesMax } = SEARCH_BOUNDS;
  let [left, bytesLeft] = [filesMax, allBytesMax];
  for (const { bytes } of files) {
    const looked = bytes.subarray(0, Math.min(fileBytesMax, bytesLeft));
    for (const name of wordsOf(looked).filter((word) => missing.has(word))) mentioned.add(name);
    left -= 1;
    bytesLeft -= looked.length;
    if (left === 0 || bytesLeft === 0 || mentioned.size === missing.size) break;
  }
  return [...mentioned].sort().slice(0, NAMES_MAX);
}

function wordsOf(bytes: Uint8Array): readonly string[] {
  return new TextDecoder().decode(bytes).match(/[A-Za-z_]\w*/g) ?? [];
}
