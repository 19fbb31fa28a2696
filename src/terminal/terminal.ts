import type { Environment } from "../base/ports/processes.ts";
import { cleanText } from "../base/words/clean-text.ts";

/** Where a command speaks: data goes to standard output, everything said beside it to standard error. */
export interface Terminal {
  /** One line, or several, of data. */
  out(text: string): void;
  /** One line, or several, of messages. */
  err(text: string): void;
  /** Calls whoever sits at it, where it is one: by its bell, and by a notification of its own (OSC 9). */
  call(text: string): void;
  readonly outHasColors: boolean;
  readonly errHasColors: boolean;
  /** A person is there who could answer a question. */
  readonly isInteractive: boolean;
  /** Somebody is there, before a terminal whose every cell can be written to. */
  readonly hasScreen: boolean;
}

/** The global options that bear on it. */
export interface TerminalOptions {
  /** `--no-color` gives false. */
  readonly color: boolean;
  /** `--no-input` gives false. */
  readonly input: boolean;
}

/** The process's own streams. */
export function processTerminal(env: Environment, options: TerminalOptions): Terminal {
  const { stdin, stdout, stderr } = process;
  const isInteractive = options.input && !isInputRefused(env) && stdin.isTTY && stdout.isTTY;
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

/** https://no-color.org: any non-empty value counts; it wins over FORCE_COLOR. */
export function hasColors(env: Environment, isTty: boolean): boolean {
  if (isSet(env["NO_COLOR"])) return false;
  if (isSet(env["FORCE_COLOR"])) return env["FORCE_COLOR"] !== "0";
  return isTty && env["TERM"] !== "dumb";
}

/** Programs that run others in a pseudo-terminal say so by a variable: a terminal alone is no person. */
export function isInputRefused(env: Environment): boolean {
  return isTrue(env["WISP_NO_INPUT"]) || isTrue(env["CI"]);
}

const CALL_CHARS_MAX = 200;

/**
 * What calls a person to their terminal: the bell, and a notification (OSC 9) where it shows any. What could
 * end the sequence, or begin another, is taken out of the text.
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
