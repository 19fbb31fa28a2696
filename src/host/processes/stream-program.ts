import { createReadStream } from "node:fs";
import { Readable } from "node:stream";
import { failpoint } from "../../base/ports/failpoint.ts";
import { SpawnFailure } from "../../base/ports/processes.ts";
import type { ProgramEnd, ProgramInput, ProgramRun, Programs } from "../../base/ports/programs.ts";
import { STDERR_TAIL_CHARS_MAX } from "../../base/limits.ts";
import { fail, ok, type Result } from "../../base/result.ts";
import { refusalOf } from "./command-checks.ts";
import { sendSignal } from "./signals.ts";

/** How long a process that left the group may hold the pipes after the program has ended. */
const ESCAPED_MS = 500;

/** Programs with streams, run with Node. */
export const nodePrograms: Programs = { stream: streamProgram };

async function streamProgram(run: ProgramRun): Promise<Result<ProgramEnd, SpawnFailure>> {
  const [executable, ...rest] = run.argv;
  const refused = refusalOf(run);
  if (refused !== undefined) return fail(SpawnFailure({ executable, errno: refused }));
  if (run.signal?.aborted === true) return ok({ kind: "stopped", stderr: "" });
  // Imported on first use: most commands stream nothing.
  const { execa } = await import("execa");
  failpoint("stream.before");
  const child = execa(executable, rest, {
    ...{ cwd: run.cwd, env: run.env, extendEnv: false, detached: true, reject: false },
    ...{ stdin: "pipe", buffer: false, stripFinalNewline: false },
  });
  failpoint("stream.after");
  const { pid } = child;
  if (pid === undefined) {
    const { code = "EIO" } = await child;
    return fail(SpawnFailure({ executable, errno: code }));
  }
  const end = endOnce(pid, run);
  const tail = tailOf(child.stderr);
  // A program may end without reading its input, which is no failure of ours.
  child.stdin.on("error", () => undefined);
  feed(child.stdin, run.stdin);
  const reading = { isBusy: false, chunks: 0 };
  const read = readAll(child.stdout, { reading, onStdout: run.onStdout, giveUp: end.stop });
  child.once("exit", () => {
    sendSignal(-pid, "SIGKILL");
    closeWhenQuiet(reading, () => [child.stdout, child.stderr].forEach((pipe) => pipe.destroy()));
  });
  const { exitCode, signal } = await child;
  const taken = await read;
  end.forget();
  if (!taken.ok) throw taken.failure;
  const stderr = tail();
  const cut = end.cut();
  if (cut !== undefined) return ok({ kind: cut, stderr });
  if (exitCode !== undefined) return ok({ kind: "exited", exitCode, stderr });
  return ok({ kind: "killed", signalName: signal ?? "SIGKILL", stderr });
}

/** Kills the group of `pid` when its time is over or the caller aborts, and remembers which it was. */
function endOnce(pid: number, { timeoutMs, signal }: ProgramRun) {
  let cut: "timed-out" | "stopped" | undefined;
  const kill = (why: "timed-out" | "stopped") => {
    cut ??= why;
    sendSignal(-pid, "SIGKILL");
  };
  const stop = () => kill("stopped");
  signal?.addEventListener("abort", stop, { once: true });
  const timer =
    timeoutMs === undefined ? undefined : setTimeout(() => kill("timed-out"), timeoutMs);
  return {
    stop,
    cut: () => cut,
    forget: () => {
      clearTimeout(timer);
      signal?.removeEventListener("abort", stop);
    },
  };
}

function feed(stdin: NodeJS.WritableStream, input: ProgramInput | undefined): void {
  if (input === undefined || typeof input === "string" || input instanceof Uint8Array) {
    stdin.end(input ?? "");
    return;
  }
  const source = "path" in input ? createReadStream(input.path) : Readable.from(input);
  // What was read so far is not the whole: the receiver compares the size.
  source.on("error", () => stdin.end());
  source.pipe(stdin);
}

type Taken = { readonly ok: true } | { readonly ok: false; readonly failure: unknown };

interface Reading {
  /** Whether the receiver still has a chunk. */
  isBusy: boolean;
  chunks: number;
}

/** What the program has written is read however slow the receiver is; an escaped process is not waited for. */
function closeWhenQuiet(reading: Reading, close: () => void): void {
  let seen = -1;
  const timer = setInterval(() => {
    if (!reading.isBusy && reading.chunks === seen) {
      clearInterval(timer);
      close();
    }
    seen = reading.chunks;
  }, ESCAPED_MS);
  timer.unref();
}

type Receive = NonNullable<ProgramRun["onStdout"]>;

interface Handing {
  readonly reading: Reading;
  readonly onStdout: Receive | undefined;
  readonly giveUp: () => void;
}

async function readAll(
  stdout: AsyncIterable<Uint8Array> & { resume(): unknown },
  { reading, onStdout, giveUp }: Handing,
): Promise<Taken> {
  if (onStdout === undefined) {
    stdout.resume();
    return { ok: true };
  }
  try {
    return await handAll(stdout, { reading, onStdout, giveUp });
  } catch {
    // The pipe was closed under us, after the program had ended.
    return { ok: true };
  }
}

async function handAll(
  stdout: AsyncIterable<Uint8Array>,
  { reading, onStdout, giveUp }: Handing & { readonly onStdout: Receive },
): Promise<Taken> {
  for await (const chunk of stdout) {
    reading.isBusy = true;
    reading.chunks += 1;
    const taken = await hand(chunk, onStdout);
    reading.isBusy = false;
    if (taken.ok) continue;
    giveUp();
    return taken;
  }
  return { ok: true };
}

/** A mistake of the receiver's is thrown once the program has ended. */
async function hand(chunk: Uint8Array, onStdout: Receive): Promise<Taken> {
  try {
    await onStdout(chunk);
    return { ok: true };
  } catch (failure) {
    return { ok: false, failure };
  }
}

function tailOf(stderr: NodeJS.ReadableStream): () => string {
  let tail = "";
  stderr.setEncoding("utf8");
  stderr.on("data", (text: string) => {
    tail = (tail + text).slice(-STDERR_TAIL_CHARS_MAX);
  });
  return () => tail;
}
