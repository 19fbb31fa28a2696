import type { Argument, Command, Option } from "commander";

/** One word that may come next, and what it is about in a few words; empty if it speaks for itself. */
export interface Completion {
  readonly word: string;
  readonly about: string;
}

/** What only the repository knows. Each is read only if it is asked for. */
export interface CompletedNames {
  readonly sessions: () => readonly string[];
  /** Ids of findings and bugs. */
  readonly findings: () => readonly string[];
  /** Where a session can run, of those that are a whole word: `ssh:host` is not. */
  readonly executors: () => readonly string[];
  readonly engines: () => readonly string[];
  readonly roles: readonly string[];
  readonly logs: readonly string[];
  readonly topics: readonly string[];
}

/** What names stand for an argument, by its name or by `<command> <argument>`. */
const ARGUMENTS: Readonly<Record<string, readonly (keyof CompletedNames)[]>> = {
  session: ["sessions"],
  role: ["roles", "sessions"],
  id: ["findings"],
  what: ["findings"],
  topic: ["topics"],
  "logs words": ["logs", "sessions"],
  "tail words": ["roles", "sessions"],
  "attach words": ["roles", "sessions"],
};

/** What names stand for the value of an option. */
const OPTIONS: Readonly<Record<string, "sessions" | "executors" | "engines">> = {
  "--session": "sessions",
  "--engine": "engines",
  "--on": "executors",
};

/** What was typed before the word that is completed. */
interface Typed {
  readonly command: Command;
  /** The option whose value comes next. */
  readonly option: Option | undefined;
  /** Words that are neither options nor the names of commands. */
  readonly positional: readonly string[];
  readonly flags: ReadonlySet<string>;
}

/**
 * The words that can complete a command line, from the commands as they are defined.
 *
 * @param words after `wisp`; the last one is being typed, and may be empty
 */
export function completionsOf(
  program: Command,
  words: readonly string[],
  things: CompletedNames,
): readonly Completion[] {
  // A shell may take `--by=role` apart.
  const plain = words.filter((word, at) => word !== "=" || at === words.length - 1);
  const last = (plain.at(-1) ?? "").replace(/^=$/u, "");
  const typed = readWords(program, plain.slice(0, -1));
  const all = typed.option === undefined ? nextWords(program, typed, last, things) : [];
  const values = typed.option === undefined ? [] : valuesOf(typed.option, things);
  const found = [...all, ...values].filter(({ word }) => word.startsWith(last));
  return [...new Map(found.map((completion) => [completion.word, completion])).values()];
}

function readWords(program: Command, words: readonly string[]): Typed {
  let typed: Typed = { command: program, option: undefined, positional: [], flags: new Set() };
  for (const word of words) typed = afterWord(program, typed, word);
  return typed;
}

function afterWord(program: Command, typed: Typed, word: string): Typed {
  const { command, positional, flags } = typed;
  if (typed.option !== undefined) return { ...typed, option: undefined };
  if (word.startsWith("-")) {
    const option = [...command.options, ...program.options].find(
      ({ short, long }) => word === short || word === long,
    );
    const takesValue = option !== undefined && (option.required || option.optional);
    return {
      ...typed,
      option: takesValue ? option : undefined,
      flags: new Set([...flags, option?.long ?? word]),
    };
  }
  const below = command.commands.find((one) => one.name() === word);
  if (below !== undefined && positional.length === 0) return { ...typed, command: below };
  return { ...typed, positional: [...positional, word] };
}

function nextWords(
  program: Command,
  { command, positional, flags }: Typed,
  last: string,
  things: CompletedNames,
): readonly Completion[] {
  if (last.startsWith("-")) {
    return (
      [...command.options, ...program.options]
        .filter(({ hidden, long }) => !hidden && !flags.has(long ?? ""))
        // An option without a long form has null there, whatever its type says.
        .flatMap(({ long, description }) =>
          typeof long === "string" ? [{ word: long, about: description }] : [],
        )
    );
  }
  const commands = positional.length === 0 ? command.createHelp().visibleCommands(command) : [];
  const named = commands.map((one) => ({ word: one.name(), about: one.description() }));
  const argument = argumentAt(command, positional.length);
  const names = argument === undefined ? [] : namesOf(command, argument, things);
  const rest = names.filter((word) => !positional.includes(word));
  return [...named, ...rest.map(bare)];
}

/** The argument that a word at this place is for; the last one may take several words. */
function argumentAt(command: Command, place: number): Argument | undefined {
  const { registeredArguments } = command;
  const last = registeredArguments.at(-1);
  return registeredArguments[place] ?? (last?.variadic === true ? last : undefined);
}

function namesOf(command: Command, argument: Argument, things: CompletedNames): readonly string[] {
  if (argument.argChoices !== undefined) return argument.argChoices;
  const name = argument.name();
  const kinds = ARGUMENTS[`${command.name()} ${name}`] ?? ARGUMENTS[name] ?? [];
  return kinds.flatMap((kind) => {
    const list = things[kind];
    return typeof list === "function" ? list() : list;
  });
}

function valuesOf(option: Option, things: CompletedNames): readonly Completion[] {
  if (option.argChoices !== undefined) return option.argChoices.map(bare);
  const kind = OPTIONS[option.long ?? ""];
  return kind === undefined ? [] : things[kind]().map(bare);
}

function bare(word: string): Completion {
  return { word, about: "" };
}
