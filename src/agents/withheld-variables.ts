import { inheritedBy } from "../engines/cli-environment.ts";

/** Of a tracked file that is looked through; the rest of a longer one is not. */
const FILE_BYTES_MAX = 256 * 1024;
/** Of all files together. */
const ALL_BYTES_MAX = 16 * 1024 * 1024;
const FILES_MAX = 5_000;
const NAMES_MAX = 20;

/** Every shell has these, or sets them: who mentions one does not miss the person's. */
const SHELLS_OWN = new Set([
  ...["PWD", "OLDPWD", "INIT_CWD", "SHLVL", "HOSTNAME", "COLUMNS", "LINES", "_", "TMPDIR", "TMP"],
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
      !Object.hasOwn(seen, name),
  );
  return withheld.map(([name]) => name).sort();
}

/** A tracked file, as it is at a commit. */
export interface TrackedText {
  readonly path: string;
  readonly bytes: Uint8Array;
}

/**
 * Which of the given variables are mentioned, as whole words, by tracked files: what a red command may have
 * missed. Sorted, at most 20; so many files and bytes are looked through, and no more are asked for.
 *
 * @param withheld names as `withheldVariables` gives them
 */
export function mentionedVariables(
  files: Iterable<TrackedText>,
  withheld: readonly string[],
): readonly string[] {
  const missing = new Set(withheld);
  if (missing.size === 0) return [];
  const mentioned = new Set<string>();
  let [left, bytesLeft] = [FILES_MAX, ALL_BYTES_MAX];
  for (const { bytes } of files) {
    const looked = bytes.subarray(0, Math.min(FILE_BYTES_MAX, bytesLeft));
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
