import type { Command } from "commander";

/** The commands that take a role, and a session beside it; they read the option themselves. */
const BESIDE_ROLE: ReadonlySet<string> = new Set(["attach", "tail", "logs", "restart", "agent"]);
const NAME = "session";

/** Where a command takes its session, if it is an argument of its own. */
function placeOf(command: Command): number {
  return command.registeredArguments.findIndex((argument) => argument.name() === NAME);
}

/** Adds `--session` to a command that takes a session as an argument, so that it can be named alike in all commands. */
export function addSessionOption(command: Command): void {
  const isHidden = "_hidden" in command && command._hidden === true;
  const takesSession = BESIDE_ROLE.has(command.name()) || placeOf(command) >= 0;
  if (isHidden || !takesSession) return;
  command.option("--session <session>", "the same as [session]");
}

/**
 * Puts the value of `--session` where a command takes its session; refuses a second name. A command below another
 * finds it there, because the parser gives an option to the first command that has it.
 */
export function takeSessionOption(command: Command): void {
  const { session: named } = command.optsWithGlobals<{ readonly session?: string }>();
  if (named === undefined) return;
  const place = placeOf(command);
  if (place < 0) {
    command.setOptionValue(NAME, named);
    return;
  }
  const given: unknown[] = command.processedArgs;
  const first = given[place];
  const next = command.registeredArguments[place + 1];
  if (next !== undefined && !next.variadic && given[place + 1] === undefined) {
    // What was typed in its place belongs to the argument that follows it.
    given[place + 1] = first;
  } else if (next?.variadic === true) {
    // What was typed in its place is the first of the words that follow it.
    given[place + 1] = [first, given[place + 1]].flat().filter((word) => word !== undefined);
  } else if (typeof first === "string" && first !== named) {
    command.error(`error: two sessions are named: ${first} and ${named}`);
  }
  given[place] = named;
}
