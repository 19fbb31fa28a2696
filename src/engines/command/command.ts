import type { Clock } from "../../base/ports/clock.ts";
import type { Files } from "../../base/ports/files.ts";
import type { Command, Processes, RunEnd } from "../../base/ports/processes.ts";
import { ok } from "../../base/result.ts";
import type { Confine } from "../../base/ports/sandbox.ts";
import { readLastMessage, type LastMessage } from "../../fs-protocol/findings/last-message.ts";
import { readableDirectories, writableDirectories } from "../cli-profile.ts";
import { failureOf } from "../judge/failure-class.ts";
import { lastWords } from "../judge/own-words.ts";
import type { Engine, TurnOutcome, TurnRequest } from "../engine.ts";
import { failedTurn, outcomeOfWord, reasonLine } from "../run/outcome-of-word.ts";
import { lastLines, linesAtEnd, tailOf } from "../run/output-tail.ts";
import { engineEnvironment, type Checkout } from "../run/environment-in.ts";
import { turnEnvironment } from "../run/turn-environment.ts";

export interface CommandEngineOptions {
  /** The engine's name in records and settings. */
  readonly name: string;
  /** A path in `argv[0]` must be absolute. */
  readonly argv: Command["argv"];
  /** As the settings name it; a turn may ask for another one. */
  readonly model?: string | undefined;
  readonly processes: Processes;
  readonly files: Files;
  readonly clock: Pick<Clock, "nowMs" | "zone">;
  /** The variables that the engine inherits; those of the turn are added. */
  readonly env: Readonly<Record<string, string>>;
  /** The person's checkout, of which its turns use nothing by their environment. Absent: there is none. */
  readonly checkout?: Checkout | undefined;
  /** If absent, its turns are not confined. */
  readonly confine?: Confine | undefined;
}

/**
 * Any executable as an engine: it gets the prompt on standard input and the turn in `WISP_…` variables, and its
 * output goes straight into `<outputBase>.out` and `.err`. A non-zero exit code is a failed turn; standard error or
 * the last word then tells whether the cause is a login or a limit. Otherwise its last word counts
 * (`last-message.ts`); without one the turn is done.
 */
export function createCommandEngine(options: CommandEngineOptions): Engine {
  return { name: options.name, turn: (request) => runTurn(options, request) };
}

/** How much of an output is read, from its end. */
const OUTPUT_BYTES_MAX = 1024 * 1024;
const LAST_LINES_MAX = 3;

async function runTurn(options: CommandEngineOptions, request: TurnRequest): Promise<TurnOutcome> {
  const { files, processes, argv, env } = options;
  const asked = { ...request, model: request.model ?? options.model };
  const stdout = tailOf(files, `${request.outputBase}.out`);
  const stderr = tailOf(files, `${request.outputBase}.err`);
  const { checkout } = options;
  const seen = engineEnvironment(env, { checkout, folder: request.cwd, own: [] });
  const command = { argv, cwd: request.cwd, env: turnEnvironment(seen, asked) };
  const beside = {
    readable: readableDirectories(request),
    writable: writableDirectories(request),
  };
  const enclosure = options.confine?.(command, beside) ?? ok(undefined);
  if (!enclosure.ok) return failedTurn(enclosure.failure.reason);
  const run = await processes.run({
    ...command,
    stdin: request.prompt,
    stdoutPath: stdout.path,
    stderrPath: stderr.path,
    timeoutMs: request.timeoutMs,
    runId: request.runId,
    isIsolated: request.isIsolated,
    enclosure: enclosure.value,
    signal: request.signal,
  });
  if (!run.ok) {
    const { executable, errno } = run.failure;
    return failedTurn(`could not start ${JSON.stringify(executable)}: ${errno}`);
  }
  if (run.value.kind === "stopped") return { kind: "stopped" };
  const text = stdout.read(OUTPUT_BYTES_MAX);
  if (!text.ok) return failedTurn(text.failure);
  if (run.value.kind === "exited" && run.value.exitCode === 0) return outcomeOfWord(text.value);
  const printed = linesAtEnd(stderr, LAST_LINES_MAX);
  const message =
    printed.length > 0 ? printed.join(" / ") : complaintIn(readLastMessage(text.value));
  const words = printed.length > 0 ? lastWords(printed) : message;
  const stopped =
    run.value.kind === "exited" && message !== undefined && words !== undefined
      ? loginOrLimit(options, message, words)
      : undefined;
  if (stopped !== undefined) return stopped;
  const complaint = message ?? lastLines(stdout, LAST_LINES_MAX);
  const end = describeEnd(run.value, request.timeoutMs);
  return failedTurn(complaint === undefined ? end : `${end}: ${complaint}`);
}

/**
 * The outcome if a login or a limit stopped the turn, which is not a failure of the work; recognized by the phrases
 * of coding CLIs among its `words`, which must not come from output about the work itself. `undefined` otherwise.
 */
function loginOrLimit(
  { name, clock }: CommandEngineOptions,
  message: string,
  words: string,
): TurnOutcome | undefined {
  const at = { nowMs: clock.nowMs(), zone: clock.zone };
  const failure = failureOf({ message: words }, at, "words");
  if (failure.class !== "auth" && failure.class !== "limited") return undefined;
  const { class: kind, untilMs, evidence } = failure;
  const what = kind === "auth" ? "has no valid login" : "is at its limit";
  const reason = reasonLine(`${name} ${what}: ${message}`);
  return { kind: "failed", reason, failure: kind, untilMs, evidence };
}

function complaintIn({ error, summary }: LastMessage): string | undefined {
  return [error, summary].find((text) => text !== undefined && text !== "");
}

function describeEnd(end: Exclude<RunEnd, { kind: "stopped" }>, timeoutMs: number): string {
  switch (end.kind) {
    case "exited":
      return `exited with code ${end.exitCode}`;
    case "killed":
      return `was killed by ${end.signalName}`;
    case "timed-out":
      return `was ended after ${Math.round(timeoutMs / 1_000)} s, its time limit`;
  }
}
