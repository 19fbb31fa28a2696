import { z } from "zod";

const WORD = "text without NUL characters (numbers and true or false need quotes)";

const Word = z.string({ error: WORD }).regex(/^[^\0]*$/, { error: WORD });

/** One command as a list of words: the executable and its arguments. Never a shell command line. */
export const Argv = z
  .tuple([Word.min(1, { error: "the name of an executable" })], Word, { error: expectedOfArgv })
  .describe("An executable and its arguments.");
export type Argv = readonly [string, ...string[]];

/** The forms of a list of commands: `false` for none, one command, several in order. */
export const COMMANDS = [
  z.literal(false).transform((): readonly Argv[] => []),
  Argv.transform((argv): readonly Argv[] => [argv]),
  z
    .array(Argv)
    .min(1, { error: expectedOfCommands(undefined) })
    .transform((list): readonly Argv[] => list),
] as const;

/** One command, several in order, or `false` for none; parsed to a list of commands. */
export const Commands = z
  .union(COMMANDS, { error: (issue) => expectedOfCommands(issue.input) })
  .describe("[npm, test] · [[npm, run, build], [npm, test]] · false");

/** One command, or `false` for none; parsed to its words, or to an empty list for none. */
export const Notify = z.union(
  [
    z.literal(false).transform((): readonly string[] => []),
    Argv.transform((argv): readonly string[] => argv),
  ],
  { error: (issue) => `${expectedOfArgv(issue)}, or false` },
);

function expectedOfArgv(issue: { readonly input?: unknown }): string {
  return typeof issue.input === "string"
    ? `a list of words: ${wordsOf(issue.input)}`
    : "a list of words such as [./agent.sh, --fast]";
}

/** What a list of commands should have been, in the words of an error. */
export function expectedOfCommands(input: unknown): string {
  return typeof input === "string" && input.trim() !== ""
    ? `a list of words: ${wordsOf(input)}`
    : "a list of words such as [npm, test], a list of such lists, or false";
}

/** Writes a shell command line as a list; a line that needs a shell becomes a call of `sh`. */
function wordsOf(line: string): string {
  const isPlain = /^[\w@%+=:./ -]+$/.test(line);
  const words = isPlain ? line.split(" ").filter((word) => word !== "") : ["sh", "-c", line];
  return `[${words.map(quoted).join(", ")}]`;
}

function quoted(word: string): string {
  return /^[\w./-]*[A-Za-z][\w./-]*$/.test(word) && !/^(?:true|false|null|yes|no)$/i.test(word)
    ? word
    : JSON.stringify(word);
}
