import { explain, type Explanation } from "../base/explain.ts";
import { EXIT } from "../base/exit-code.ts";
import { CannotGoOn, type WorldFailure } from "../base/fatal.ts";
import { traced } from "../base/ports/trace.ts";
import { beginTrace } from "./begin-trace.ts";
import { ownEnvironment } from "./own-environment.ts";
import { armFailpoints } from "../host/system/arm-failpoints.ts";
import { dropDaemonMark } from "../host/processes/find-daemons.ts";
import { REPLACED } from "../host/system/load-from-copy.ts";
import { createHost } from "../host/host.ts";
import type { LoadedCommand, Cli, Outcome } from "../terminal/cli.ts";
import { errorView } from "../terminal/error-view.ts";
import { promptLine } from "../terminal/prompt-line.ts";
import { processTerminal, type Terminal } from "../terminal/terminal.ts";

/** How a command runs. */
export interface CommandOptions {
  /** Absolute path of the executable script. */
  readonly entry: string;
  /** The digest of the program. */
  readonly code: string;
  readonly version: string;
  readonly color: boolean;
  readonly input: boolean;
  /** Failures go to standard output as a JSON object. */
  readonly json: boolean;
  /** The words after `wisp` on the command line. */
  readonly words: readonly string[];
  /** The file to trace to. */
  readonly trace?: string | undefined;
}

/** Runs a command in this process, explains its failure, and returns the exit code. */
export async function runCommand(action: LoadedCommand, options: CommandOptions): Promise<number> {
  armFailpoints(process.env);
  const trace = await beginTrace(process.env, {
    ...{ given: options.trace, words: options.words, cwd: process.cwd() },
    tell: (text) => console.error(text),
  });
  dropDaemonMark(process.env);
  const env = ownEnvironment();
  const terminal = processTerminal(env, options);
  if (!trace.ok) return say(terminal, explain(trace.failure), options.json);
  const host = createHost({
    code: options.code,
    trace: trace.value,
    onWatchDegraded: (errno) => {
      terminal.err(`wisp: no file events (${errno}); checking the files periodically instead`);
    },
  });
  const { execPath: nodePath } = process;
  const { entry, code, version } = options;
  const program = { code, nodeVersion: process.version };
  const ask = terminal.isInteractive ? promptLine : undefined;
  const cli: Cli = {
    ...{ cwd: process.cwd(), env, host, entry, nodePath, program, version },
    ...{ terminal, ask, tell: (text) => terminal.err(text) },
  };
  setTimeout(() => void keepProgram(cli).catch(() => undefined), LIVES_LONG_MS).unref();
  const ended = await traced({ category: "process", name: "the command" }, () =>
    attempt(() => action(cli)),
  );
  if (ended.kind === "done") return ended.exitCode;
  if (ended.kind === "replaced") return sayReplaced(terminal, ended.message, options.json);
  if (ended.kind === "mistake") {
    return sayMistake(terminal, ended.stack, options.json);
  }
  const explanation = await explanationOf(cli, ended.failure).catch(() => explain(ended.failure));
  return say(terminal, explanation, options.json);
}

/** By then most commands have ended, and the others have shown something. */
const LIVES_LONG_MS = 10_000;

/** An installation may replace the files of which this command will load some later: it then takes those of the copy. */
async function keepProgram(cli: Cli): Promise<void> {
  const { lastingPackage } = await import("../workspace/lasting-program.ts");
  lastingPackage(cli);
}

type Ended =
  | { readonly kind: "done"; readonly exitCode: number }
  | { readonly kind: "refused"; readonly failure: WorldFailure }
  /** An installation replaced the program's files while it ran. */
  | { readonly kind: "replaced"; readonly message: string }
  | { readonly kind: "mistake"; readonly stack: string };

async function attempt(run: () => Promise<Outcome>): Promise<Ended> {
  try {
    const outcome = await run();
    if (outcome.ok) return { kind: "done", exitCode: outcome.value };
    return { kind: "refused", failure: outcome.failure };
  } catch (thrown) {
    if (thrown instanceof CannotGoOn) return { kind: "refused", failure: thrown.failure };
    if (thrown instanceof Error && thrown.name === REPLACED) {
      return { kind: "replaced", message: thrown.message };
    }
    const stack = thrown instanceof Error ? (thrown.stack ?? thrown.message) : String(thrown);
    return { kind: "mistake", stack };
  }
}

/** The search for a cause is loaded only when there is a failure to explain. */
async function explanationOf(cli: Cli, failure: WorldFailure): Promise<Explanation> {
  const { causeInHome } = await import("../workspace/cause-in-home.ts");
  return explain(causeInHome(cli, failure));
}

function say(terminal: Terminal, explanation: Explanation, asJson: boolean): number {
  const { code, message, hint, details, next, exitCode } = explanation;
  if (asJson) {
    terminal.out(JSON.stringify(errorView({ code, message, hint, details, next }), undefined, 2));
  } else {
    terminal.err(`wisp: ${message}`);
    if (hint !== undefined) terminal.err(hint);
    for (const line of [...details, ...next]) terminal.err(`  ${line}`);
  }
  return exitCode;
}

function sayReplaced(terminal: Terminal, message: string, asJson: boolean): number {
  const error = { code: "program-replaced", message, hint: undefined, details: [], next: [] };
  if (asJson) terminal.out(JSON.stringify(errorView(error), undefined, 2));
  else terminal.err(`wisp: ${message}`);
  return EXIT.failure;
}

function sayMistake(terminal: Terminal, stack: string, asJson: boolean): number {
  const message = "internal error in wisp; please report it";
  terminal.err(`wisp: ${message}:\n${stack}`);
  const error = { code: "internal", message, hint: stack, details: [], next: [] };
  if (asJson) terminal.out(JSON.stringify(errorView(error), undefined, 2));
  return EXIT.failure;
}
