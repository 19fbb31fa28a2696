import { assert } from "../../base/assert.ts";
import { BEGIN_MARK } from "./begun-output.ts";

/** What a far command that ended with 255 leaves at the end of its standard error: ssh itself ends with 255, too. */
const ENDED_WITH_255 = "[wisp: it ended with 255]\n";

/**
 * Runs the words that it is given quoted and encoded as one word. Says that it begins, after whatever a shell printed as
 * it started, and says it if they end with 255.
 */
const RUN_WORDS = `echo "${BEGIN_MARK.trim()}"; eval "set -- $(printf %b "$1")"; "$@"; code=$?; [ "$code" != 255 ] || echo "${ENDED_WITH_255.trim()}" >&2; exit "$code"`;

/** The same for a terminal, where nobody reads how it ended. */
const BECOME_WORDS = `eval "exec $(printf %b "$1")"`;

/**
 * The one line that makes a login shell there run `argv`, whatever shell that is: sh, bash, zsh, fish and csh agree on
 * single quotes as long as nothing between them is a quote, a backslash before one, an exclamation mark or a newline.
 * So all of these, and all that is not ASCII, travel as octal numbers, which a POSIX shell turns back.
 */
export function farLine(argv: readonly [string, ...string[]], isTerminal = false): string {
  const script = isTerminal ? BECOME_WORDS : RUN_WORDS;
  return `sh -c '${script}' wisp '${encoded(argv.map(quotedWord).join(" "))}'`;
}

/** The standard error of a far command that itself ended with 255, or `undefined` if ssh ended with it. */
export function stderrOf255(stderr: string): string | undefined {
  const at = stderr.lastIndexOf(ENDED_WITH_255);
  return at === -1 ? undefined : stderr.slice(0, at) + stderr.slice(at + ENDED_WITH_255.length);
}

function quotedWord(word: string): string {
  assert(!word.includes("\0"), "no word of a command holds a NUL");
  if (/^[\w@%+=:,./-]+$/.test(word)) return word;
  return `'${word.replaceAll("'", `'\\''`)}'`;
}

/** Text for `printf %b`, of which every shell keeps each character between single quotes. */
function encoded(text: string): string {
  return text.replaceAll(/[^ -~]+|['\\!]/g, (odd) =>
    [...new TextEncoder().encode(odd)]
      .map((byte) => `\\0${byte.toString(8).padStart(3, "0")}`)
      .join(""),
  );
}
