import { assert } from "../base/assert.ts";
import { FAR_COMMAND_MS_MAX, FAR_COPY_MS_MAX } from "../base/limits.ts";
import {
  ExecutorRefused,
  ExecutorUnreachable,
  PLACE_VARIABLE,
  type Executor,
  type ExecutorFailure,
  type FarCommand,
  type FarStreams,
  type Place,
  type PutFile,
} from "../base/ports/executor.ts";
import type { Files } from "../base/ports/files.ts";
import type { Environment } from "../base/ports/processes.ts";
import type { ProgramEnd, Programs, ReceiveFile } from "../base/ports/programs.ts";
import { fail, ok, type Result } from "../base/result.ts";
import {
  DETACH_SCRIPT,
  EXEC_SCRIPT,
  FOLLOW_SCRIPT,
  GET_SCRIPT,
  IS_RUNNING_SCRIPT,
  NO_DIRECTORY_EXIT,
  NO_FILE_EXIT,
  NOT_RUNNING_EXIT,
  PUT_SCRIPT,
  SHORT_EXIT,
  SIGNAL_SCRIPT,
} from "./far-scripts.ts";

/** What all executors are given of this machine. */
export interface ExecutorHost {
  readonly programs: Programs;
  readonly files: Files;
  readonly receiveFile: ReceiveFile;
  /** The directory in which programs of executors are started here, and their environment. */
  readonly cwd: string;
  readonly env: Environment;
}

/** One way to run a command at a place by a command here, such as `ssh host …` or `podman exec …`. */
export interface Reach {
  /** The command here that runs `argv` there, with its standard streams. */
  argvTo(place: Place, argv: readonly [string, ...string[]]): readonly [string, ...string[]];
  /**
   * The failure, if such an end means that the command itself was not run, or may have been cut off: the link broke,
   * the place is down or gone.
   */
  failureOf(place: Place, end: ProgramEnd): Promise<ExecutorFailure | undefined>;
}

/** The methods that follow from one way to run commands. */
type ByCommands = Pick<
  Executor,
  "exec" | "detach" | "isRunning" | "signal" | "put" | "get" | "follow"
>;

type Ran<T = ProgramEnd> = Promise<Result<T, ExecutorFailure>>;

/** One of the constant scripts and its arguments. */
type Script = readonly [string, ...string[]];

/** Everything that an executor can do by running commands, with nothing but a POSIX shell at the place. */
export function executorOverArgv(name: string, host: ExecutorHost, reach: Reach): ByCommands {
  const scripts = new FarScripts(name, host, reach);
  return {
    async exec(place, command, streams) {
      const words = farWords(place, command);
      const unlimited = { timeoutMs: undefined, ...streams };
      const ran = await scripts.run(place, [EXEC_SCRIPT, ...words], unlimited);
      if (!ran.ok || !isExit(ran.value, NO_DIRECTORY_EXIT)) return ran;
      return fail(refused(name, ran.value, words[0]));
    },
    detach: (place, as, command) =>
      scripts.demand(place, [DETACH_SCRIPT, place.root, as, ...farWords(place, command)]),
    isRunning: (place, as) => scripts.ask(place, [IS_RUNNING_SCRIPT, place.root, as]),
    signal: (place, as, signalName) =>
      scripts.ask(place, [SIGNAL_SCRIPT, place.root, as, signalName]),
    put: (place, file) => {
      const size = String(sizeOf(host.files, file));
      const mode = file.isExecutable === true ? "700" : "600";
      const streams = { stdin: file.from, timeoutMs: FAR_COPY_MS_MAX };
      return scripts.demand(place, [PUT_SCRIPT, file.to, size, mode, place.root], streams);
    },
    async get(place, far, here) {
      const receiver = host.receiveFile(here);
      if (!receiver.ok) return receiver;
      const { write, finish, drop } = receiver.value;
      const streams = { onStdout: write, timeoutMs: FAR_COPY_MS_MAX };
      const got = await scripts.demand(place, [GET_SCRIPT, far], streams);
      if (got.ok) return finish();
      drop();
      return got;
    },
    async follow(place, { path, offsetBytes, onBytes }, signal) {
      const stdin = openUntil(signal);
      const streams = { stdin, onStdout: onBytes, signal, timeoutMs: undefined };
      const first = String(offsetBytes + 1);
      const followed = await scripts.demand(place, [FOLLOW_SCRIPT, path, first], streams);
      if (!followed.ok || signal.aborted) return followed;
      return fail(ExecutorUnreachable({ executor: name, detail: "the connection ended" }));
    },
  };
}

/** Runs the constant scripts at places. */
class FarScripts {
  readonly #name: string;
  readonly #host: ExecutorHost;
  readonly #reach: Reach;

  constructor(name: string, host: ExecutorHost, reach: Reach) {
    this.#name = name;
    this.#host = host;
    this.#reach = reach;
  }

  /** Runs a script, whatever its exit code. */
  async run(place: Place, [text, ...words]: Script, streams: FarStreams = {}): Ran {
    const argv = this.#reach.argvTo(place, ["sh", "-c", text, "wisp", ...words]);
    const { cwd, env, programs } = this.#host;
    const ran = await programs.stream({
      argv,
      cwd,
      env,
      timeoutMs: FAR_COMMAND_MS_MAX,
      ...streams,
    });
    if (!ran.ok) return ran;
    const end = ran.value;
    if (end.kind === "stopped" || isExit(end, 0)) return ok(end);
    const failure = await this.#reach.failureOf(place, end);
    return failure === undefined ? ok(end) : fail(failure);
  }

  /** Runs a script for which anything but success is a failure. */
  async demand(place: Place, script: Script, streams?: FarStreams): Ran<void> {
    const ran = await this.run(place, script, streams);
    if (!ran.ok) return ran;
    if (ran.value.kind === "stopped" || isExit(ran.value, 0)) return ok(undefined);
    return fail(refused(this.#name, ran.value, script[1] ?? ""));
  }

  /** Runs a script that answers a question about a detached command. */
  async ask(place: Place, script: Script): Ran<boolean> {
    const ran = await this.run(place, script);
    if (!ran.ok) return ran;
    if (isExit(ran.value, 0)) return ok(true);
    if (isExit(ran.value, NOT_RUNNING_EXIT)) return ok(false);
    return fail(refused(this.#name, ran.value, script[1] ?? ""));
  }
}

/** An input that says nothing, and ends when the signal aborts or this process ends. */
async function* openUntil(signal: AbortSignal): AsyncGenerator<Uint8Array> {
  if (signal.aborted) return;
  await new Promise((resolve) => {
    signal.addEventListener("abort", resolve, { once: true });
  });
  yield new Uint8Array();
}

function isExit(end: ProgramEnd, exitCode: number): boolean {
  return end.kind === "exited" && end.exitCode === exitCode;
}

/** The arguments of the scripts that start a command: directory, variables, `--`, words. */
export function farWords(
  place: Place,
  { argv, cwd, env = {} }: FarCommand,
): readonly [string, ...string[]] {
  const variables = Object.entries({ ...env, [PLACE_VARIABLE]: place.root });
  assert(
    variables.every(([variable]) => /^[A-Za-z_]\w*$/.test(variable)),
    "only names of shell variables can be exported",
  );
  return [
    cwd ?? place.root,
    ...variables.map(([variable, value]) => `${variable}=${value}`),
    "--",
    ...argv,
  ];
}

function sizeOf(files: Files, { from }: PutFile): number {
  if (from instanceof Uint8Array) return from.length;
  // One that vanished sends nothing, and is refused there as too short.
  return files.stat(from.path)?.sizeBytes ?? -1;
}

/** What people read of a script that failed. */
function refused(executor: string, end: ProgramEnd, what: string): ExecutorFailure {
  if (end.kind === "timed-out") {
    return ExecutorUnreachable({ executor, detail: "no answer within the time limit" });
  }
  if (isExit(end, SHORT_EXIT)) {
    return ExecutorUnreachable({ executor, detail: `the copy to ${what} was cut off` });
  }
  const said = end.stderr.trim().split("\n").at(-1) ?? "";
  const detail = isExit(end, NO_FILE_EXIT)
    ? `there is no file ${what}`
    : said === ""
      ? `the command for ${what} failed`
      : said;
  return ExecutorRefused({ executor, detail });
}
