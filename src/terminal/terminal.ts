import type { Environment } from "../base/ports/processes.ts";
import { cleanText } from "../base/words/clean-text.ts";

/** Where a command prints: data goes to standard output, everything else to standard error. */
export interface Terminal {
  /** Prints one or several lines of data. */
  out(text: string): void;
  /** Prints one or several lines of messages. */
  err(text: string): void;
  /**
   * Notifies the person at the terminal, if there is one: with its bell, and a notification of its
   * own (OSC 9).
   */
  call(text: string): void;
  readonly outHasColors: boolean;
  readonly errHasColors: boolean;
  /** Whether a person is there who could answer a question. */
  readonly isInteractive: boolean;
  /** Whether a person is at a terminal that supports full-screen output. */
  readonly hasScreen: boolean;
}

/** The global options that affect the terminal. */
export interface TerminalOptions {
  /** False for `--no-color`. */
  readonly color: boolean;
  /** False for `--no-input`. */
  readonly input: boolean;
}

/** A terminal on the process's own streams. */
export function processTerminal(env: Environment, options: TerminalOptions): Terminal {
  const { stdout, stderr } = process;
  const mayAsk = options.input && !isInputRefused(env);
  // Last, because Node opens standard input, and loads what reads it, when it is first named.
  const isInteractive = mayAsk && stdout.isTTY && process.stdin.isTTY;
  return {
    out: (text) => void stdout.write(`${text}\n`),
    err: (text) => void stderr.write(`${text}\n`),
    call: (text) => {
      if (stderr.isTTY) stderr.write(callOf(text));
    },
    outHasColors: options.color && hasColors(env, stdout.isTTY),
    errHasColors: options.color && hasColors(env, stderr.isTTY),
    isInteractive,
    hasScreen: isInteractive && isSet(env["TERM"]) && env["TERM"] !== "dumb",
  };
}

/** https://no-color.org: any non-empty value counts; it overrides FORCE_COLOR. */
export function hasColors(env: Environment, isTty: boolean): boolean {
  if (isSet(env["NO_COLOR"])) return false;
  if (isSet(env["FORCE_COLOR"])) return env["FORCE_COLOR"] !== "0";
  return isTty && env["TERM"] !== "dumb";
}

/**
 * Programs that run others in a pseudo-terminal set such a variable: a terminal alone does not
 * prove that a person is there.
 */
export function isInputRefused(env: Environment): boolean {
  return isTrue(env["WISP_NO_INPUT"]) || isTrue(env["CI"]);
}

const CALL_CHARS_MAX = 200;

/**
 * The sequence that notifies a person at their terminal: the bell, and an OSC 9 notification if it
 * supports those. Characters that could end the sequence, or start another, are removed from the
 * text.
 */
export function callOf(text: string): string {
  const line = cleanText(text, { charsMax: CALL_CHARS_MAX, lines: "one" });
  return `\u0007\u001B]9;${line}\u0007`;
}

function isSet(value: string | undefined): boolean {
  return value !== undefined && value !== "";
}

function isTrue(value: string | undefined): boolean {
  return isSet(value) && value !== "0" && value !== "false";
}
