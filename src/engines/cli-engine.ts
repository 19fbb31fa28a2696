import { randomUUID } from "node:crypto";
import type { Clock } from "../base/clock.ts";
import type { Directories } from "../base/directories.ts";
import type { FileFailure, Files } from "../base/files.ts";
import type { Command, Processes, RunEnd, SpawnFailure } from "../base/processes.ts";
import { ok, type Result } from "../base/result.ts";
import type { Confine, SandboxFailure } from "../base/sandbox.ts";
import { inheritedBy } from "./cli-environment.ts";
import {
  readableDirectories,
  writableDirectories,
  type CliCommand,
  type CliProfile,
} from "./cli-profile.ts";
import type { Engine, InteractiveOptions, TurnOutcome, TurnRecord, TurnRequest } from "./engine.ts";
import type { TurnFailure } from "./failure-class.ts";
import { whyFailed, type TurnEnd } from "./judge-end.ts";
import { outcomeOfWord, reasonLine } from "./outcome-of-word.ts";
import { serversFor, type McpSetting } from "./mcp-server.ts";
import { OutputFollower } from "./output-follower.ts";
import { lastLines, tailOf } from "./output-tail.ts";
import { sessionIdOf } from "./session-id.ts";
import { turnEnvironment } from "./turn-environment.ts";
import type { TurnReport } from "./turn-report.ts";
import { wordSchema } from "./word-schema.ts";

export interface CliEngineOptions {
  readonly profile: CliProfile;
  /** The executable, and further arguments of the user. */
  readonly argv: Command["argv"];
  readonly model: string | undefined;
  /** Names of variables that it inherits beside those of its profile; a `*` at the end is any rest. */
  readonly variables: readonly string[];
  /** Ours; what the engine sees of it is chosen by name. */
  readonly env: Readonly<Record<string, string>>;
  /** Whether the CLI is to make the model keep to a schema, where it can and the turn has one. */
  readonly usesSchema: boolean;
  /** A turn whose output does not grow for so long is ended. */
  readonly idleTimeoutMs: number;
  /** A directory of this engine's own: in it each run has one for its temporary files, gone when it ends. */
  readonly tmpDirectory: string;
  readonly processes: Processes;
  readonly files: Files;
  readonly directories: Directories;
  readonly clock: Clock;
  /** Absent: its turns are not confined. */
  readonly confine?: Confine | undefined;
  /** Paths that it should refuse to read by its own rules, where it has such. */
  readonly denied?: readonly string[] | undefined;
  readonly mcp?: readonly McpSetting[] | undefined;
}

/**
 * A coding CLI as an engine: the prompt on standard input, its output straight into
 * `<outputBase>.out` and `.err`, read from there while it grows. A success takes the CLI's own event
 * for it and exit code 0; then the last word of its answer counts (`agent-word.ts`).
 */
export function createCliEngine(options: CliEngineOptions): Engine {
  return {
    name: options.profile.name,
    turn: (request) => runTurn(options, request),
    interactive: (prompt, to) => interactive(options, prompt, to),
    recall: (outputBase, resumed) => recall(options, { outputBase, resumed }),
  };
}

/** No headless mode, and no permission given in advance: the person at the terminal is asked. */
function interactive(
  { profile, argv, model, variables, env, processes }: CliEngineOptions,
  prompt: string,
  { cwd, runId, resume, model: wanted = model }: InteractiveOptions,
): Promise<Result<RunEnd, SpawnFailure>> {
  const [executable] = argv;
  const names = [...profile.variables, ...variables, ...TERMINAL_VARIABLES];
  return processes.attach({
    argv: [executable, ...profile.interactive(prompt, { resume, model: wanted })],
    cwd,
    env: inheritedBy(names, env),
    runId,
  });
}

/** What a program needs to draw in a terminal. */
const TERMINAL_VARIABLES = ["TERM", "COLORTERM", "TERM_PROGRAM", "NO_COLOR", "EDITOR", "VISUAL"];

/** Reads an output from its beginning: no two turns have the same. */
function recall(
  { profile, files }: CliEngineOptions,
  { outputBase, resumed }: { readonly outputBase: string; readonly resumed: string | undefined },
): TurnRecord {
  const follower = new OutputFollower({ files, profile, request: { outputBase }, isWhole: true });
  follower.finish();
  return recordOf(profile, follower.report, resumed ?? chosenSession(profile, outputBase));
}

/** The session of a turn that begins one, where its id is ours to choose. */
function chosenSession(profile: CliProfile, outputBase: string): string | undefined {
  return profile.takesSessionId ? sessionIdOf(outputBase) : undefined;
}

/** Advice for people may follow what went wrong. */
const STDERR_LINES_MAX = 8;

async function runTurn(options: CliEngineOptions, request: TurnRequest): Promise<TurnOutcome> {
  const { profile, files, directories, clock } = options;
  // Turns at the same time have each their own; what a killed process left is swept when its role starts.
  const tmpDirectory = `${options.tmpDirectory}/${randomUUID().slice(0, 8)}`;
  const command = profile.command({
    request,
    model: request.model ?? options.model,
    extraArgs: options.argv.slice(1),
    sessionId: sessionIdOf(request.outputBase),
    inherited: inheritedBy([...profile.variables, ...options.variables], options.env),
    tmpDirectory,
    schema: options.usesSchema ? wordSchema(request.purpose) : undefined,
    isConfined: options.confine !== undefined,
    denied: options.denied,
    mcp: serversFor(options.mcp ?? [], request.role, options.env),
  });
  const made = prepare(files, tmpDirectory, command);
  if (!made.ok) return failed(`its temporary files cannot be written: ${made.failure.errno}`);
  const stderr = tailOf(files, `${request.outputBase}.err`);
  const follower = new OutputFollower({ files, profile, request });
  const ran = await runWatched(options, request, { command, follower, tmpDirectory });
  directories.removeTree(tmpDirectory);
  if (!ran.ok) {
    if (ran.failure.kind === "sandbox") return failed(ran.failure.reason);
    const { executable, errno } = ran.failure;
    return failed(`could not start ${JSON.stringify(executable)}: ${errno}`);
  }
  const chosen = request.resume?.session ?? chosenSession(profile, request.outputBase);
  const record = recordOf(profile, follower.report, chosen);
  if (ran.value.kind === "stopped") return { kind: "stopped", ...record };
  const failure = whyFailed({
    report: follower.report,
    end: ran.value,
    stderr: lastLines(stderr, STDERR_LINES_MAX) ?? "",
    nowMs: clock.nowMs(),
  });
  if (failure === undefined) return { ...outcomeOfWord(follower.report.text), ...record };
  const reason = sentence(profile, { failure, end: ran.value, request, options });
  return { ...failed(reason), failure: failure.class, untilMs: failure.untilMs, ...record };
}

function prepare(
  files: Files,
  tmpDirectory: string,
  command: CliCommand,
): Result<void, FileFailure> {
  const made = files.makeDirectory(tmpDirectory);
  if (!made.ok) return made;
  for (const [name, text] of Object.entries(command.files ?? {})) {
    const written = files.replace(`${tmpDirectory}/${name}`, Buffer.from(text));
    if (!written.ok) return written;
  }
  return ok(undefined);
}

/** Runs the CLI, and ends it when it has said nothing for too long. */
async function runWatched(
  options: CliEngineOptions,
  request: TurnRequest,
  run: {
    readonly command: CliCommand;
    readonly follower: OutputFollower;
    readonly tmpDirectory: string;
  },
): Promise<Result<RunEnd | TurnEnd, SpawnFailure | SandboxFailure>> {
  const { processes, clock, idleTimeoutMs } = options;
  const command = commandOf(options, request, run);
  const beside = {
    readable: readableDirectories(request),
    writable: [run.tmpDirectory, ...writableDirectories(request)],
  };
  const enclosure = options.confine?.(command, beside) ?? ok(undefined);
  if (!enclosure.ok) return enclosure;
  const [idle, over] = [new AbortController(), new AbortController()];
  const watching = run.follower
    .follow({ clock, idleTimeoutMs, signal: over.signal })
    .then((isIdle) => {
      if (isIdle) idle.abort();
    });
  const ended = await processes.run({
    ...command,
    stdin: request.prompt,
    stdoutPath: `${request.outputBase}.out`,
    stderrPath: `${request.outputBase}.err`,
    timeoutMs: request.timeoutMs,
    runId: request.runId,
    isIsolated: request.isIsolated,
    enclosure: enclosure.value,
    signal: AbortSignal.any([request.signal, idle.signal]),
  });
  over.abort();
  await watching;
  run.follower.finish();
  const isIdle = ended.ok && ended.value.kind === "stopped" && !request.signal.aborted;
  return isIdle ? ok({ kind: "idle" }) : ended;
}

function commandOf(
  { profile, argv, variables, env }: CliEngineOptions,
  request: TurnRequest,
  { command, tmpDirectory }: { readonly command: CliCommand; readonly tmpDirectory: string },
): Command {
  const inherited = inheritedBy([...profile.variables, ...variables], env);
  const environment = { ...inherited, ...command.env, TMPDIR: tmpDirectory };
  return {
    argv: [argv[0], ...command.args],
    cwd: request.cwd,
    env: turnEnvironment(environment, request),
  };
}

function recordOf(profile: CliProfile, report: TurnReport, chosen: string | undefined): TurnRecord {
  const { session = chosen, model, usage, denials, version } = report;
  const { tokensBasis } = profile;
  return {
    session,
    model,
    usage: usage && { ...usage, tokensBasis, costBasis: profile.costBasis(version) },
    ...(denials.length === 0 ? {} : { denials }),
  };
}

interface Failed {
  readonly failure: TurnFailure;
  readonly end: TurnEnd;
  readonly request: TurnRequest;
  readonly options: CliEngineOptions;
}

/** One line for people; what the CLI said comes last. */
function sentence(profile: CliProfile, { failure, end, request, options }: Failed): string {
  const said = failure.message === "" ? "" : `: ${failure.message}`;
  switch (failure.class) {
    case "auth":
      return `${profile.name} has no valid login (${profile.login})${said}`;
    case "limited":
      return `${profile.name} is at its limit${said}`;
    case "overloaded":
      return `the provider of ${profile.name} is overloaded${said}`;
    case "network":
      return `${profile.name} does not reach its provider${said}`;
    case "context-too-long":
      return `the context is too long for the model${said}`;
    case "no-session":
      return `${profile.name} does not know the session to resume${said}`;
    case "refused-permission":
      return `${profile.name} was refused a permission${said}`;
    case "gibberish":
      return `${profile.name} gave no usable answer${said}`;
    case "hang":
    case "crash":
      return `${describeEnd(end, request, options)}${said}`;
  }
}

function describeEnd(
  end: TurnEnd,
  { timeoutMs }: TurnRequest,
  { idleTimeoutMs }: CliEngineOptions,
): string {
  switch (end.kind) {
    case "exited":
      return end.exitCode === 0 ? "ended without a result" : `exited with code ${end.exitCode}`;
    case "killed":
      return `was killed by ${end.signalName}`;
    case "timed-out":
      return `was ended after ${Math.round(timeoutMs / 1_000)} s, its time limit`;
    case "idle":
      return `was ended because it said nothing for ${Math.round(idleTimeoutMs / 1_000)} s`;
  }
}

function failed(reason: string): Extract<TurnOutcome, { kind: "failed" }> {
  return { kind: "failed", reason: reasonLine(reason) };
}
