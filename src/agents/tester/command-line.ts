import { fail, ok, type Result } from "../../base/result.ts";

/** An executable and its arguments. */
export type CommandWords = readonly [string, ...string[]];

/** A line that is not a single command; `reason` explains it to the line's author. */
export interface NoCommand {
  readonly kind: "no-command";
  readonly reason: string;
}

/**
 * Splits a command line into the words that a POSIX shell would pass to one program, with its quotes and
 * backslashes. Everything else that a shell would do (pipes, redirections, variables, patterns, a second
 * command) is refused: passed on as plain text, it would give the program another argument than the author
 * meant.
 */
export function splitCommand(line: string): Result<CommandWords, NoCommand> {
  // Commands are often copied together with the shell's prompt.
  const text = line.trim().replace(/^\$ +/, "");
  if (/[\n\r]/.test(text)) return refused("it has several lines; give one command on one line");
  // Bounded texts end with this sign.
  if (text.endsWith("…")) return refused("it is cut off");
  const words: string[] = [];
  for (let at = 0; at < text.length;) {
    const word = wordAt(text, at);
    if (!word.ok) return word;
    if (word.value.text !== undefined) words.push(word.value.text);
    at = word.value.end;
  }
  const [executable, ...rest] = words;
  if (executable === undefined || executable === "") return refused("there is no command");
  if (/^[A-Za-z_]\w*=/.test(executable)) return noShell(executable, "sets a variable");
  if (executable === "!") return noShell("!", "turns an exit code round");
  return ok([executable, ...rest]);
}

interface Word {
  /** Undefined for white space. */
  readonly text: string | undefined;
  readonly end: number;
}

const SPACE = /[ \t]+/y;
const PLAIN = /[^\s'"\\|&;<>()$`*?[{}~#]+/y;
const SINGLE = /'([^']*)'/y;
const DOUBLE = /"((?:[^"\\$`]|\\[^])*)"/y;
const ESCAPED = /\\([^])/y;

function wordAt(text: string, start: number): Result<Word, NoCommand> {
  const space = matchAt(SPACE, text, start);
  if (space !== undefined) return ok({ text: undefined, end: start + space[0].length });
  let word = "";
  let at = start;
  while (at < text.length && !/[ \t]/.test(text.charAt(at))) {
    const part = partAt(text, at, at === start);
    if (!part.ok) return part;
    word += part.value.text;
    at = part.value.end;
  }
  return ok({ text: word, end: at });
}

function partAt(
  text: string,
  at: number,
  isFirst: boolean,
): Result<{ readonly text: string; readonly end: number }, NoCommand> {
  const found = matchAt(PLAIN, text, at) ?? matchAt(SINGLE, text, at) ?? matchAt(ESCAPED, text, at);
  if (found !== undefined) return ok({ text: found[1] ?? found[0], end: at + found[0].length });
  const double = matchAt(DOUBLE, text, at);
  if (double !== undefined) {
    const inside = (double[1] ?? "").replace(/\\([$`"\\])/g, "$1");
    return ok({ text: inside, end: at + double[0].length });
  }
  const sign = text.charAt(at);
  // These signs are special only at the beginning of a word.
  if (!isFirst && (sign === "~" || sign === "#")) return ok({ text: sign, end: at + 1 });
  return refusal(text, at);
}

function matchAt(pattern: RegExp, text: string, at: number): RegExpExecArray | undefined {
  pattern.lastIndex = at;
  return pattern.exec(text) ?? undefined;
}

const MEANINGS: Readonly<Record<string, string>> = {
  "|": "makes a pipe, or a second command",
  "&": "makes a second command, or one in the background",
  ";": "begins a second command",
  "<": "redirects input",
  ">": "redirects output",
  "(": "begins a subshell",
  ")": "ends a subshell",
  $: "stands for a variable, or for what a command prints",
  "`": "stands for what a command prints",
  "*": "makes a pattern of file names",
  "?": "makes a pattern of file names",
  "[": "makes a pattern of file names",
  "{": "makes several words of one",
  "}": "makes several words of one",
  "~": "stands for a home folder",
  "#": "begins a comment",
};

function refusal(text: string, at: number): Result<never, NoCommand> {
  const sign = text.charAt(at);
  if (sign === '"') {
    const inside = /[$`]/.exec(
      text
        .slice(at + 1)
        .replace(/\\[^]/g, "")
        .split('"', 1)[0] ?? "",
    );
    const mark = inside?.[0];
    if (mark !== undefined) return noShell(mark, MEANINGS[mark] ?? "");
  }
  if (sign === '"' || sign === "'") return refused("a quote is not closed");
  if (sign === "\\") return refused("it ends in a backslash");
  return noShell(sign, MEANINGS[sign] ?? "is no part of a command");
}

function noShell(sign: string, meaning: string): Result<never, NoCommand> {
  return refused(
    `\`${sign}\` ${meaning} in a shell, and it is run without one: one program and its arguments, ` +
      "in single quotes where they hold such signs",
  );
}

function refused(reason: string): Result<never, NoCommand> {
  return fail({ kind: "no-command", reason });
}
