import type { ProgramEnd, ProgramRun, Programs } from "../../base/ports/programs.ts";
import { ok, type Result } from "../../base/result.ts";
import type { SpawnFailure } from "../../base/ports/processes.ts";
import type { ExecutorHost } from "../over-argv.ts";
import { BegunOutput } from "./begun-output.ts";
import { farLine, stderrOf255 } from "./quote-words.ts";
import { controlSocket, sshArgv, wrongDestination, type SshOptions } from "./ssh-options.ts";

/** How long the shared connection may take to open, in ms, more than ssh's own limit for one that hangs at its start. */
const OPEN_MS_MAX = 25_000;
/** How long the process that holds the shared connection may take to say that it is there, in ms. */
const ASK_MS_MAX = 5_000;

/**
 * Starts ssh in a session of its own where the system can: the process that stays behind, and those of jump hosts that
 * it uses, must outlive the group of the one that started it. None of them keeps a pipe to us open but for errors.
 */
const OPEN_SCRIPT = `
if command -v setsid > /dev/null; then
  setsid "$@" < /dev/null > /dev/null &
  wait $!
else
  "$@" < /dev/null > /dev/null
fi`;

/** Why a command was not run although ssh succeeded. */
const RUNS_NOTHING = "the login shell there ends before it runs a command";

/** Words of ssh's about its sockets, which do not keep it from connecting without. */
const ABOUT_SOCKETS = /control ?(socket|path)|unix_listener|mux|domain socket/i;

type Ran = Result<ProgramEnd, SpawnFailure>;

/** How a command is to go, or how the attempt to connect ended, with which it was not run. */
type Way = { readonly kind: "shared" | "apart" } | { readonly kind: "failed"; readonly ran: Ran };

/**
 * Programs on a host: `argv` runs there, by ssh here. Commands share a connection, which is opened before them if it is
 * not there; if only sharing fails, each command connects by itself. If it cannot be opened, the end of that attempt
 * is the end of the command, which was not run.
 */
export class SshLink implements Programs {
  readonly #host: ExecutorHost;
  readonly #options: SshOptions;
  #opening: Promise<Way> | undefined;

  constructor(host: ExecutorHost, options: SshOptions) {
    this.#host = host;
    this.#options = options;
  }

  async stream(run: ProgramRun): Promise<Ran> {
    if (wrongDestination(this.#options) !== undefined) return ok(notRun(""));
    this.#opening ??= this.#open().finally(() => (this.#opening = undefined));
    const way = await unlessAborted(this.#opening, run.signal);
    if (way === undefined) return ok({ kind: "stopped", stderr: "" });
    if (way.kind === "failed") return way.ran;
    const argv = sshArgv(this.#options, way.kind, farLine(run.argv));
    const output = new BegunOutput(run.onStdout);
    const onStdout = (bytes: Uint8Array) => output.take(bytes);
    const ran = await this.#host.programs.stream({ ...run, argv, onStdout });
    if (ran.ok && isSuccess(ran.value) && !output.hasBegun) {
      return ok({ ...ran.value, exitCode: 255, stderr: RUNS_NOTHING });
    }
    if (!ran.ok || way.kind === "apart" || !isBroken(ran.value)) return ran;
    // Over a shared connection, ssh says nothing when it breaks: these are words of the command's.
    return ok(notRun(""));
  }

  async #open(): Promise<Way> {
    if (controlSocket(this.#options) === undefined) return { kind: "apart" };
    if (!this.#host.files.makeDirectory(this.#options.control).ok) return { kind: "apart" };
    const asked = await this.#run(sshArgv(this.#options, "asking"), ASK_MS_MAX);
    if (!asked.ok) return { kind: "failed", ran: asked };
    if (isSuccess(asked.value)) return { kind: "shared" };
    if (asked.value.kind === "timed-out") return { kind: "apart" };
    // Two that open it at once both connect, and the one that comes second keeps nothing open.
    const ssh = sshArgv(this.#options, "opening", "true");
    const opened = await this.#run(["sh", "-c", OPEN_SCRIPT, "wisp", ...ssh], OPEN_MS_MAX);
    if (!opened.ok) return { kind: "failed", ran: opened };
    if (opened.value.kind === "timed-out") {
      return { kind: "failed", ran: ok(notRun("the connection could not be opened in time")) };
    }
    if (!isBroken(opened.value)) return { kind: "shared" };
    return ABOUT_SOCKETS.test(opened.value.stderr)
      ? { kind: "apart" }
      : { kind: "failed", ran: opened };
  }

  #run(argv: readonly [string, ...string[]], timeoutMs: number): Promise<Ran> {
    const { programs, cwd, env } = this.#host;
    return programs.stream({ argv, cwd, env, timeoutMs });
  }
}

/** Whether ssh ended so because it had no connection, or lost it; 255 of a command there is told apart. */
export function isBroken(end: ProgramEnd): boolean {
  return end.kind === "exited" && end.exitCode === 255 && stderrOf255(end.stderr) === undefined;
}

function isSuccess(end: ProgramEnd): boolean {
  return end.kind === "exited" && end.exitCode === 0;
}

function notRun(stderr: string): ProgramEnd {
  return { kind: "exited", exitCode: 255, stderr };
}

/** The value of a promise, or `undefined` as soon as the signal aborts. */
async function unlessAborted<T>(
  promise: Promise<T>,
  signal: AbortSignal | undefined,
): Promise<T | undefined> {
  if (signal === undefined) return promise;
  if (signal.aborted) return undefined;
  const { promise: aborted, resolve } = newPromise();
  const stop = () => resolve();
  signal.addEventListener("abort", stop, { once: true });
  try {
    return await Promise.race([promise, aborted]);
  } finally {
    signal.removeEventListener("abort", stop);
  }
}

function newPromise(): { readonly promise: Promise<undefined>; readonly resolve: () => void } {
  let resolve: () => void = () => undefined;
  const promise = new Promise<undefined>((settle) => {
    resolve = () => settle(undefined);
  });
  return { promise, resolve };
}
