import type { Files } from "../base/files.ts";
import { REASON_CHARS_MAX } from "../base/limits.ts";
import type { Command, Processes, RunEnd } from "../base/processes.ts";
import { fail, ok, type Result } from "../base/result.ts";
import { lastAgentWord, type AgentWord } from "../fs-protocol/agent-word.ts";
import { cleanText } from "../fs-protocol/clean-text.ts";
import type { Engine, TurnOutcome, TurnRequest } from "./engine.ts";
import { turnEnvironment } from "./turn-environment.ts";

export interface CommandEngineOptions {
  /** Its name in records and settings. */
  readonly name: string;
  /** A path in `argv[0]` is absolute: the caller resolved it. */
  readonly argv: Command["argv"];
  readonly processes: Processes;
  readonly files: Files;
  /** What the engine inherits; the variables of the turn are added. */
  readonly env: Readonly<Record<string, string>>;
}

/**
 * Any executable as an engine: the prompt on standard input, the turn in `WISP_…` variables, its
 * output straight into `<outputBase>.out` and `.err`. An exit code other than 0 is a failed turn;
 * else its last word counts (`agent-word.ts`), and no word means done.
 */
export function createCommandEngine(options: CommandEngineOptions): Engine {
  return { name: options.name, turn: (request) => runTurn(options, request) };
}

/** Read back of an output, from its end. */
const OUTPUT_BYTES_MAX = 1024 * 1024;
const STDERR_BYTES_MAX = 4 * 1024;
const STDERR_LINES_MAX = 3;

async function runTurn(options: CommandEngineOptions, request: TurnRequest): Promise<TurnOutcome> {
  const { files, processes, argv, env } = options;
  const stdout = tailOf(files, `${request.outputBase}.out`);
  const stderr = tailOf(files, `${request.outputBase}.err`);
  const run = await processes.run({
    argv,
    cwd: request.cwd,
    env: turnEnvironment(env, request),
    stdin: request.prompt,
    stdoutPath: stdout.path,
    stderrPath: stderr.path,
    timeoutMs: request.timeoutMs,
    runId: request.runId,
    signal: request.signal,
  });
  if (!run.ok) {
    const { executable, errno } = run.failure;
    return failed(`could not start ${JSON.stringify(executable)}: ${errno}`);
  }
  if (run.value.kind === "stopped") return { kind: "stopped" };
  const text = stdout.read(OUTPUT_BYTES_MAX);
  if (!text.ok) return failed(text.failure);
  if (run.value.kind === "exited" && run.value.exitCode === 0) return outcomeOf(text.value);
  const complaint =
    lastLines(stderr.read(STDERR_BYTES_MAX)) ?? complaintIn(lastAgentWord(text.value));
  const end = describeEnd(run.value, request.timeoutMs);
  return failed(complaint === undefined ? end : `${end}: ${complaint}`);
}

/** The outcome of a turn that ended well by its exit code. */
function outcomeOf(text: string): TurnOutcome {
  const word = lastAgentWord(text);
  const { status, summary = "" } = word;
  switch (status) {
    case "CONTINUE":
    case "DONE":
      return { kind: "ended", status, summary, text };
    case "NEEDS_INPUT":
      return { kind: "needs-input", question: questionIn(word) };
    case "BLOCKED":
      return { kind: "blocked", question: questionIn(word) };
  }
}

function questionIn({ question, error, summary }: AgentWord): string {
  const said = [question, error, summary].find((text) => text !== undefined && text !== "");
  return said ?? "It did not say what it needs; see its output.";
}

function complaintIn({ error, summary }: AgentWord): string | undefined {
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

function failed(reason: string): TurnOutcome {
  return {
    kind: "failed",
    reason: cleanText(reason, { charsMax: REASON_CHARS_MAX, lines: "one" }),
  };
}

/** The last lines of a text that are not empty, as one; `undefined` where there are none. */
function lastLines(text: Result<string, string>): string | undefined {
  if (!text.ok) return undefined;
  const clean = cleanText(text.value, { charsMax: STDERR_BYTES_MAX, lines: "many" });
  const lines = clean.split("\n").filter((line) => line.trim() !== "");
  return lines.length === 0 ? undefined : lines.slice(-STDERR_LINES_MAX).join(" / ");
}

interface Tail {
  readonly path: string;
  /** The last bytes written since the tail was made, from a line's start; the failure is a sentence. */
  read(bytesMax: number): Result<string, string>;
}

/**
 * The end of an output file. What stood in it before belongs to an interrupted run of the same turn,
 * whose words must not count for this one.
 */
function tailOf(files: Files, path: string): Tail {
  const startBytes = files.stat(path)?.sizeBytes ?? 0;
  return {
    path,
    read(bytesMax) {
      const sizeBytes = files.stat(path)?.sizeBytes ?? 0;
      const offsetBytes = Math.max(startBytes, sizeBytes - bytesMax);
      const chunk = files.readChunk(path, offsetBytes, bytesMax);
      if (!chunk.ok) return fail(`its output ${path} cannot be read: ${chunk.failure.errno}`);
      const text = new TextDecoder().decode(chunk.value);
      // A cut may go through a line, and through a character; both are left out.
      return ok(offsetBytes > startBytes ? text.slice(text.indexOf("\n") + 1) : text);
    },
  };
}
