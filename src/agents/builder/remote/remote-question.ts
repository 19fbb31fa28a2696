import { REASON_CHARS_MAX } from "../../../base/limits.ts";
import { abbreviate, type Oid } from "../../../base/oid.ts";
import { cleanText } from "../../../base/words/clean-text.ts";
import { inSentences } from "../../../base/words/in-sentences.ts";
import { bareUrl } from "../../../git/remote/remotes.ts";

/** A remote that a person has to decide about. */
export interface MovedRemote {
  /** Its name, or its URL. */
  readonly remote: string;
  readonly branch: string;
  /** The tip of its branch; undefined if the branch does not exist. */
  readonly tip: Oid | undefined;
  readonly why:
    /** Both sides changed these files; empty if git does not name them. */
    | { readonly kind: "conflict"; readonly paths: readonly string[] }
    /** Verify is red on the merge commit; `failure` is a line that says what failed. */
    | { readonly kind: "red"; readonly failure: string }
    /** The merge has files without a filter that agents do not have. */
    | { readonly kind: "unfiltered"; readonly reason: string }
    /** Somebody rewrote it: it no longer contains the commit that wisp pushed. */
    | { readonly kind: "rewritten"; readonly pushed: Oid };
}

/** The limits of what a question shows. */
const PATHS_SHOWN_MAX = 6;
const PATH_SHOWN_CHARS_MAX = 60;
const NAME_SHOWN_CHARS_MAX = 120;
const FAILURE_SHOWN_CHARS_MAX = 300;
/** Longer commands are left out, because nobody can copy them from a line. */
const COMMAND_CHARS_MAX = 300;

/**
 * The question to a person about a remote: what happened, the commands that solve it, and the possible answers. It fits
 * into a record: if names are long, the description of what happened is cut, never the possible answers.
 */
export function remoteQuestion(moved: MovedRemote): string {
  const ways = [byHand(moved), ...joining(moved), leaving(moved)].join(" ");
  const charsMax = REASON_CHARS_MAX - ways.length - 1;
  return `${cleanText(happened(moved), { charsMax, lines: "one" })} ${ways}`;
}

function happened({ remote, branch, tip, why }: MovedRemote): string {
  const where = `${named(remote)}, branch ${named(branch)}`;
  switch (why.kind) {
    case "conflict":
      return `${where}, has commits that conflict with those here, in ${filesOf(why.paths)}. Nothing was changed.`;
    case "red":
      return `${where}, has commits with which verify is red once they are merged here: ${failed(why.failure)} Nothing was changed.`;
    case "unfiltered":
      return `${where}, has commits that cannot be merged here: ${failed(why.reason)} Nothing was changed.`;
    case "rewritten": {
      const at = tip === undefined ? "" : `: it is at ${abbreviate(tip)} now`;
      return `${where}, was rewritten: it has lost ${abbreviate(why.pushed)}, which was pushed there${at}. wisp forces nothing.`;
    }
  }
}

function byHand({ remote, branch, why }: MovedRemote): string {
  const [ours, theirs] = [word(branch), word(bareUrl(remote))];
  const pull = `git switch ${ours} && git pull --no-rebase ${theirs} ${ours}`;
  const how = pull.length > COMMAND_CHARS_MAX ? "" : `: \`${pull}\``;
  const solve = why.kind === "red" ? "make verify pass" : "solve the conflicts";
  return `Merge it yourself${how}, ${solve}, commit, \`git switch -\`; then answer "merged".`;
}

function joining({ why }: MovedRemote): readonly string[] {
  if (why.kind !== "rewritten") return [];
  return [
    `Or answer "merge": what is there and what is here are joined, and what was removed comes back.`,
  ];
}

function leaving({ remote }: MovedRemote): string {
  return `Or answer "leave": work continues, and ${named(remote)} is left alone for the rest of the session.`;
}

function filesOf(paths: readonly string[]): string {
  if (paths.length === 0) return "files that git does not name";
  const shown = paths
    .slice(0, PATHS_SHOWN_MAX)
    .map((path) => cleanText(path, { charsMax: PATH_SHOWN_CHARS_MAX, lines: "one" }));
  const more = paths.length - shown.length;
  return shown.join(", ") + (more === 0 ? "" : ` and ${String(more)} more`);
}

function failed(failure: string): string {
  const shown = cleanText(failure, { charsMax: FAILURE_SHOWN_CHARS_MAX, lines: "one" });
  return inSentences(shown === "" ? "it failed" : shown);
}

function named(text: string): string {
  return cleanText(bareUrl(text), { charsMax: NAME_SHOWN_CHARS_MAX, lines: "one" });
}

function word(text: string): string {
  const shown = cleanText(text, { charsMax: COMMAND_CHARS_MAX, lines: "one" });
  return /^[\w@%+=:,./-]+$/u.test(shown) ? shown : `'${shown.replaceAll("'", `'\\''`)}'`;
}
