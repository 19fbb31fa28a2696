import { spawn, type ChildProcess } from "node:child_process";
import { STOP_GRACE_MS } from "../../base/limits.ts";
import { failpoint } from "../../base/ports/failpoint.ts";
import {
  RUN_ID_VARIABLE,
  type Command,
  type Processes,
  type RunEnd,
  type SpawnFailure,
} from "../../base/ports/processes.ts";
import { ok, type Result } from "../../base/result.ts";
import { attempt } from "../system/errno.ts";
import { refusalOf, spawnFailure } from "./command-checks.ts";
import { onSignals } from "./on-signals.ts";

/** How long what a command has left running may hold its output after the command has ended. */
const ESCAPED_MS = 500;

/** A command of a person's, at their terminal. */
export interface Attended extends Command {
  /** Marks what it starts. */
  readonly runId: string;
  readonly timeoutMs: number;
  /** Receives what it writes to standard output and standard error, in the order in which it arrives. */
  readonly onOutput: (text: string) => void;
}

/**
 * Runs a command as a person's own shell would: in our process group and with our terminal, which it can open as
 * `/dev/tty`, but with empty standard input, and with its output handed to us. What it leaves running when it ends by
 * itself goes on, as it would there. If the person presses Ctrl-C, or the time is over, it is ended with everything that
 * it started (where the system shows environments), after a grace period in which it can clean up.
 */
export async function runAttended(
  { argv, cwd, env, runId, timeoutMs, onOutput }: Attended,
  { sweep }: Pick<Processes, "sweep">,
): Promise<Result<RunEnd, SpawnFailure>> {
  const command = { argv, cwd, env };
  const refusal = refusalOf(command);
  if (refusal !== undefined) return spawnFailure(command, refusal);
  const [executable, ...rest] = argv;
  failpoint("attend.before");
  const started = attempt(() =>
    spawn(executable, rest, {
      ...{ cwd, env: { ...env, [RUN_ID_VARIABLE]: runId } },
      stdio: ["ignore", "pipe", "pipe"],
    }),
  );
  failpoint("attend.after");
  if (!started.ok) return spawnFailure(command, started.failure);
  const child = started.value;
  const ended = endOf(child, onOutput);
  let cut: "timed-out" | "stopped" | undefined;
  const end = (why: "timed-out" | "stopped") => {
    cut ??= why;
    child.kill("SIGTERM");
    setTimeout(ended.giveUp, STOP_GRACE_MS).unref();
  };
  const forget = onSignals(["SIGINT", "SIGTERM", "SIGHUP"], () => end("stopped"));
  const timer = setTimeout(() => end("timed-out"), timeoutMs);
  const isCut = () => cut !== undefined;
  try {
    const { exitCode, signalName, errno } = await ended.wait(isCut);
    if (errno !== undefined) return spawnFailure(command, errno);
    if (cut !== undefined) return ok({ kind: cut });
    if (exitCode === undefined) return ok({ kind: "killed", signalName });
    return ok({ kind: "exited", exitCode });
  } finally {
    clearTimeout(timer);
    if (isCut()) {
      child.kill("SIGKILL");
      await sweep(runId);
    }
    forget();
  }
}

interface Exit {
  readonly exitCode?: number | undefined;
  readonly signalName: string;
  readonly errno?: string | undefined;
}

/** The end of a child whose output is read. */
function endOf(child: ChildProcess, onOutput: (text: string) => void) {
  const streams = [child.stdout, child.stderr].filter((stream) => stream !== null);
  for (const stream of streams) stream.setEncoding("utf8").on("data", onOutput);
  const close = () => streams.forEach((stream) => stream.destroy());
  const given = withResolver();
  const exited = new Promise<Exit>((resolve) => {
    child.once("exit", (code, signal) =>
      resolve({ exitCode: code ?? undefined, signalName: signal ?? "SIGKILL" }),
    );
    child.once("error", (error: NodeJS.ErrnoException) =>
      resolve({ signalName: "", errno: error.code ?? "EIO" }),
    );
  });
  const closed = new Promise<void>((resolve) => {
    child.once("close", () => resolve());
  });
  return {
    giveUp: () => given.resolve(),
    /** Waits for the exit, and then for those who hold the output: long only if the command is to be ended whole. */
    async wait(isCut: () => boolean): Promise<Exit> {
      const exit = await Promise.race([
        exited,
        given.promise.then(() => ({ signalName: "SIGKILL" })),
      ]);
      const timer = setTimeout(() => {
        if (!isCut()) given.resolve();
      }, ESCAPED_MS);
      if (!("errno" in exit && exit.errno !== undefined))
        await Promise.race([closed, given.promise]);
      clearTimeout(timer);
      close();
      return exit;
    },
  };
}

function withResolver() {
  let resolve: () => void = () => undefined;
  const promise = new Promise<void>((done) => {
    resolve = done;
  });
  return { promise, resolve: () => resolve() };
}
