import type { CommittedText, TextBounds } from "../../base/ports/repo.ts";
import { inheritedBy } from "../../engines/run/cli-environment.ts";

/** Limits for searching the tracked files. */
export const SEARCH_BOUNDS: TextBounds = {
  filesMax: 5_000,
  fileBytesMax: 256 * 1024,
  allBytesMax: 16 * 1024 * 1024,
};
const NAMES_MAX = 20;

/** Variables of wisp, and those that npm sets for scripts. */
const SET_BY_PROGRAMS = /^(?:WISP_|npm_(?!config_))/;

/** Variables that every shell has or sets: a file that mentions one does not need the person's. */
const SET_BY_SHELLS = new Set([
  ...["PWD", "OLDPWD", "INIT_CWD", "SHLVL", "HOSTNAME", "COLUMNS", "LINES", "_", "TMPDIR", "TMP"],
  // Set by programs that start wisp.
  ...["EDITOR", "VISUAL", "PAGER", "NODE", "COLOR"],
  ...["TEMP", "PS1", "PS2", "IFS", "OPTIND", "RANDOM", "SECONDS", "UID", "EUID", "PPID"],
]);

/**
 * The names of the variables in the person's environment that the project's commands do not see, sorted. Empty
 * ones, those of every shell, and names that are not plain words are left out.
 *
 * @param named variables that the settings name for commands; a name that ends in `*` matches any rest
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
      !SET_BY_SHELLS.has(name) &&
      !SET_BY_PROGRAMS.test(name) &&
      !Object.hasOwn(seen, name),
  );
  return withheld.map(([name]) => name).sort();
}

/**
 * The given variables that tracked files mention as whole words: a red command may have needed them. Sorted, at
 * most 20. Reads no more files and bytes than `SEARCH_BOUNDS` allows.
 *
 * @param withheld names as `withheldVariables` returns them
 */
export function mentionedVariables(
  files: Iterable<CommittedText>,
  withheld: readonly string[],
): readonly string[] {
  const missing = new Set(withheld);
  if (missing.size === 0) return [];
  const mentioned = new Set<string>();
  const { filesMax, fileBytesMax, allBytesMax } = SEARCH_BOUNDS;
  let [filesLeft, bytesLeft] = [filesMax, allBytesMax];
  for (const { bytes } of files) {
    const searched = bytes.subarray(0, Math.min(fileBytesMax, bytesLeft));
    for (const name of wordsOf(searched).filter((word) => missing.has(word))) mentioned.add(name);
    filesLeft -= 1;
    bytesLeft -= searched.length;
    if (filesLeft === 0 || bytesLeft === 0 || mentioned.size === missing.size) break;
  }
  return [...mentioned].sort().slice(0, NAMES_MAX);
}

function wordsOf(bytes: Uint8Array): readonly string[] {
  return new TextDecoder().decode(bytes).match(/[A-Za-z_]\w*/g) ?? [];
}
