import type { Command, CommanderError } from "commander";
import { errorView, type ErrorView } from "../terminal/error-view.ts";

/** Whether a command line asks for JSON, also one that cannot be read. */
export function asksForJson(words: readonly string[]): boolean {
  const end = words.indexOf("--");
  return (end < 0 ? words : words.slice(0, end)).includes("--json");
}

/**
 * Has what the parser holds against a command line said as an object, where the line asks for JSON: by the one
 * who catches it. To be called before there are commands, which take it over.
 */
export function keepUsageErrors(program: Command, words: readonly string[]): void {
  if (asksForJson(words)) program.configureOutput({ writeErr: () => undefined });
}

/** What the parser holds against a command line. */
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
