/** What a commit's own tree, in which verify runs, may lack. */
export type MissingKind =
  /** A submodule, whose folder is empty there. */
  | "submodule"
  /** A file under Git LFS, in whose place its pointer is there. */
  | "lfs"
  /** A filter of git that agents do not have. */
  | "filter"
  /** What a manifest names: without a lock file, no setup installs it. */
  | "manifest"
  /** What a build makes, and no build is known. */
  | "built"
  /** A file that git ignores and that the project needs. */
  | "ignored"
  /** A program, a module or a file that the run did not find. */
  | "program"
  | "module"
  | "file"
  /** A service that refused a connection. */
  | "service"
  /** A port that something else holds. */
  | "port"
  /** The tests themselves: they could not be loaded, or none passed. */
  | "not-loaded"
  | "none-passed"
  /** Nothing may be missing: there was too much to look at. */
  | "not-searched";

/** One thing that is missing, for people. All texts are clean, and none of them is longer than a few lines. */
export interface Missing {
  readonly kind: MissingKind;
  /** What is missing: a clause that begins with a word of ours in small letters, without a full stop. */
  readonly what: string;
  /** The paths, the address or the ports that it is about; `what` may name them, too. Empty if there are none. */
  readonly where: string;
  /** What to do about it: one or two sentences. */
  readonly remedy: string;
}

/** What a session runs before and as verify: argument vectors. */
export interface CommandsAtBase {
  readonly setup: readonly (readonly string[])[];
  readonly build: readonly (readonly string[])[];
  readonly verify: readonly (readonly string[])[];
}

/** How many names a text shows. */
const NAMES_SHOWN_MAX = 3;

/** The first names, and how many more there are. */
export function fewNames(names: readonly string[]): string {
  const shown = names.slice(0, NAMES_SHOWN_MAX);
  const more = names.length - shown.length;
  return more > 0 ? `${shown.join(", ")} and ${String(more)} more` : shown.join(", ");
}

/** One of them in one line. */
export function missingLine({ what, where, remedy }: Missing): string {
  return `${what}${what.includes(where) ? "" : ` (${where})`}. ${remedy}`;
}

/** All of them as sentences, for a question: what is missing and how to mend it. Empty if nothing is. */
export function sayMissing(missing: readonly Missing[]): string {
  return missing.map((one) => upper(missingLine(one))).join(" ");
}

function upper(text: string): string {
  return text.slice(0, 1).toUpperCase() + text.slice(1);
}
