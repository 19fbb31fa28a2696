import type { Command, CommanderError } from "commander";
import { errorView, type ErrorView } from "../terminal/error-view.ts";

/** Whether a command line asks for JSON, even if it cannot be parsed. */
export function asksForJson(words: readonly string[]): boolean {
  const end = words.indexOf("--");
  return (end < 0 ? words : words.slice(0, end)).includes("--json");
}

/**
 * If the command line asks for JSON, silences the parser's own messages: the caller that catches
 * usage errors must report them as an object. Must be called before commands are added, because they inherit it.
 */
export function keepUsageErrors(program: Command, words: readonly string[]): void {
  if (asksForJson(words)) program.configureOutput({ writeErr: () => undefined });
}

/** The usage error that the parser found. */
export function usageError({ message }: CommanderError): ErrorView {
  const [first = "", ...more] = message
    .replace(/^error: /u, "")
    .trim()
    .split("\n");
  const hint = more.join(" ").trim();
  return errorView({
    code: "usage",
    message: `${first.replace(/[.?!]$/u, "")}.`,
    hint: hint === "" ? undefined : hint,
    details: [],
    next: ["wisp --help"],
  });
}
