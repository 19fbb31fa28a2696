import { spawn, type ChildProcess } from "node:child_process";
import { randomBytes } from "node:crypto";
import { closeSync, constants as fsConstants, statSync } from "node:fs";
import { constants } from "node:os";
import { setTimeout as sleep } from "node:timers/promises";
import { CONTAINER_END_MS_MAX } from "../../base/container-limits.ts";
import { failpoint } from "../../base/ports/failpoint.ts";
import {
  RUN_ID_VARIABLE,
  type RunEnd,
  type RunOptions,
  type SpawnFailure,
} from "../../base/ports/processes.ts";
import { ok, type Result } from "../../base/result.ts";
import { refusalOf, spawnFailure, whyNotExecutable } from "./command-checks.ts";
import { unlinkSync, writeSync } from "../system/effects.ts";
import { attempt, errnoOf, type Errno } from "../system/errno.ts";
import { hasNamespaceEnded, openReport, readFirstProcess } from "./first-process.ts";
import { openOutput, openRegular } from "../files/open-regular.ts";
import { pidNamespace } from "./pid-namespace.ts";
import { sendSignal } from "./signals.ts";
import { askMembersToEnd, isGroupAlive, type Sweeper } from "./sweep.ts";
import { TIMER_MS_MAX } from "../system/system-clock.ts";

/** How often to check whether a group that was asked to end has ended. */
const GROUP_POLL_MS = 20;
/** How often to check the output size of a limited command. */
const OUTPUT_POLL_MS = 100;

export interface RunContext {
  readonly sweeper: Sweeper;
  readonly stopGraceMs: number;
}

/**
 * Implements the port's `run`. Input and output are files, never pipes. With a pipe, Node and execa wait for every
 * process that holds its other end (measured: 30 s for a grandchild); a command that does not read its input makes
 * writing to it fail; and `/dev/stdin` cannot be opened. Without pipes, and with whole process groups to end, execa
 * has nothing left to offer.
 */
export async function runProcess(
  options: RunOptions,
  context: RunContext,
): Promise<Result<RunEnd, SpawnFailure>> {
  const refusal = refusalOf(options) ?? (options.runId.includes("\0") ? "EINVAL" : undefined);
  if (refusal !== undefined) return spawnFailure(options, refusal);
  if (options.signal.aborted) return ok({ kind: "stopped" });
  if (options.enclosure?.isKeeper !== true) return runReported(options, context, undefined);
  const report = openReport(options.stdoutPath);
  if (!report.ok) return spawnFailure(options, report.failure);
  try {
    return await runReported(options, context, report.value.fd);
  } finally {
    closeSync(report.value.fd);
  }
}

/** Runs a command; `report` is the descriptor on which its enclosure reports, if it does. */
async function runReported(
  options: RunOptions,
  context: RunContext,
  report: number | undefined,
): Promise<Result<RunEnd, SpawnFailure>> {
  const streams = openStreams(options);
  if (!streams.ok) return spawnFailure(options, streams.failure);
  const namespace = await ownNamespace(options);
  const before = [...(namespace ?? []), ...(options.enclosure?.before ?? [])];
  const isHere = before.length > 0 && options.enclosure?.isContainer !== true;
  const missing = isHere ? missingExecutable(options) : undefined;
  if (missing !== undefined) {
    streams.value.forEach((fd) => closeSync(fd));
    return spawnFailure(options, missing);
  }
  const stdio = report === undefined ? streams.value : [...streams.value, report];
  const started = start([...before, ...options.argv], options, stdio);
  streams.value.forEach((fd) => closeSync(fd));
  if (!started.ok) return failedSpawn(options, started.failure);
  const { pid } = started.value;
  const ended = endOf(started.value);
  if (pid === undefined) return failedSpawn(options, (await ended).errno);
  const isInNamespace = before.length > 0;
  const isEmpty = emptinessOf({ report, isOwn: namespace !== undefined });
  return ok(await untilEnded({ pid, ended, isInNamespace, isEmpty }, options, context));
}

/** The words that give a command its own pid namespace. One inside another would add nothing. */
async function ownNamespace({ enclosure, isIsolated }: RunOptions) {
  const hasOwn = enclosure?.isKeeper === true || enclosure?.isContainer === true;
  const needsOwn = isIsolated === true && !hasOwn;
  return needsOwn ? pidNamespace() : undefined;
}

/**
 * Returns a check whether it is certain that nothing of an ended command is left, so that no search
 * for it is needed. `unshare` exits only after the first process of its namespace, hence after all;
 * a sandbox may exit before it, but has reported it.
 */
function emptinessOf({
  report,
  isOwn,
}: {
  readonly report: number | undefined;
  readonly isOwn: boolean;
}): (end: Ended) => Promise<boolean> | boolean {
  if (report === undefined) return ({ exitCode }) => isOwn && typeof exitCode === "number";
  return () => {
    const first = readFirstProcess(report);
    return first !== undefined && hasNamespaceEnded(first);
  };
}

/** Descriptors for standard input, output and error, in this order. */
function openStreams(options: RunOptions): Result<readonly number[], Errno> {
  const opened: number[] = [];
  for (const open of [
    () => openInput(options),
    () => openOutput(options.stdoutPath),
    () => openOutput(options.stderrPath),
  ]) {
    const file = open();
    if (!file.ok) {
      opened.forEach((fd) => closeSync(fd));
      return file;
    }
    opened.push(file.value.fd);
  }
  return ok(opened);
}

/** Writes the input to a file, whose name is removed before the command starts. */
function openInput({ stdin, stdoutPath }: RunOptions): Result<{ readonly fd: number }, Errno> {
  const path = `${stdoutPath}.${randomBytes(6).toString("hex")}.stdin`;
  const opened = openRegular(path, fsConstants.O_RDWR | fsConstants.O_CREAT | fsConstants.O_EXCL);
  if (!opened.ok) return opened;
  const { fd } = opened.value;
  const written = attempt(() => {
    unlinkSync(path);
    const bytes = Buffer.from(stdin);
    // Written by position, so that the descriptor stays at the start, where the command begins to read.
    for (let at = 0; at < bytes.length;) at += writeSync(fd, bytes, at, at);
  });
  if (written.ok) return ok({ fd });
  closeSync(fd);
  return written;
}

/** Starts the command. Node throws what it immediately knows to be impossible, such as too many arguments. */
function start(
  [executable = "", ...rest]: readonly string[],
  { cwd, env, runId, enclosure }: RunOptions,
  streams: readonly number[],
): Result<ChildProcess, Errno> {
  return attempt(() => {
    failpoint("run.before");
    const child = spawn(executable, rest, {
      cwd,
      env: { ...env, ...enclosure?.env, [RUN_ID_VARIABLE]: runId },
      stdio: [...streams],
      // In its own process group, so that Ctrl-C reaches only us and a signal can reach the whole group.
      detached: true,
    });
    failpoint("run.after");
    return child;
  });
}

/** How the process ended, or why it could not be started. */
interface Ended {
  readonly errno?: Errno;
  readonly exitCode?: number | null;
  readonly signalName?: string | null;
}

function endOf(child: ChildProcess): Promise<Ended> {
  return new Promise((resolve) => {
    child.once("error", (thrown) => resolve({ errno: errnoOf(thrown) ?? "EIO" }));
    child.once("exit", (exitCode, signalName) => resolve({ exitCode, signalName }));
  });
}

/** Checks for the executable beforehand, because a namespace reports a missing one differently. */
function missingExecutable(command: RunOptions): Errno | undefined {
  const errno = whyNotExecutable(command, "none");
  return errno === "none" ? undefined : errno;
}

function failedSpawn(options: RunOptions, errno: Errno = "EIO"): Result<never, SpawnFailure> {
  return spawnFailure(options, errno === "EACCES" ? whyNotExecutable(options, errno) : errno);
}

interface Child {
  /** Also the id of its process group. */
  readonly pid: number;
  readonly ended: Promise<Ended>;
  readonly isInNamespace: boolean;
  /** Whether it is certain that nothing is left of it, given how it ended. */
  readonly isEmpty: (end: Ended) => Promise<boolean> | boolean;
}

async function untilEnded(child: Child, options: RunOptions, context: RunContext): Promise<RunEnd> {
  const { ended, isEmpty } = child;
  const cause = await firstCause(ended, options);
  if (cause !== "ended") {
    if (options.enclosure?.isKeeper === true) askMembersToEnd(child.pid);
    else sendSignal(-child.pid, "SIGTERM");
    await groupEnds(child.pid, context.stopGraceMs);
    if (options.enclosure?.isContainer === true) await endContainer(child.pid);
    sendSignal(-child.pid, "SIGKILL");
  }
  const end = await ended;
  const { exitCode, signalName } = end;
  sendSignal(-child.pid, "SIGKILL");
  // Searching is slow, because it looks at every process of the machine.
  if (!(await isEmpty(end))) {
    await context.sweeper.killGroup(child.pid);
    await context.sweeper.sweepRuns([options.runId]);
  }
  if (cause === "flooded") return { kind: "killed", signalName: "SIGXFSZ" };
  if (cause !== "ended") return { kind: cause };
  if (typeof signalName === "string") return { kind: "killed", signalName };
  return runEndOf(exitCode ?? 1, child.isInNamespace);
}

/** The first process of a namespace reports a signal as shells do: as an exit code above 128. */
function runEndOf(exitCode: number, isInNamespace: boolean): RunEnd {
  const number = exitCode - 128;
  const name = Object.entries(constants.signals).find(([, value]) => value === number)?.[0];
  if (!isInNamespace || name === undefined) return { kind: "exited", exitCode };
  return { kind: "killed", signalName: name };
}

type Cause = "ended" | "timed-out" | "stopped" | "flooded";

/** The first cause wins: whatever happens while a command is being stopped changes nothing. */
function firstCause(ended: Promise<unknown>, options: RunOptions): Promise<Cause> {
  const { timeoutMs, signal, outputBytesMax, stdoutPath } = options;
  return new Promise((resolve) => {
    const settle = (cause: Cause) => {
      clearTimeout(timer);
      clearInterval(watch);
      signal.removeEventListener("abort", onAbort);
      resolve(cause);
    };
    const onAbort = () => settle("stopped");
    const timer = setTimeout(() => settle("timed-out"), Math.min(timeoutMs, TIMER_MS_MAX));
    const watch = setInterval(() => {
      if (sizeOf(stdoutPath) > (outputBytesMax ?? Infinity)) settle("flooded");
    }, OUTPUT_POLL_MS);
    if (outputBytesMax === undefined) clearInterval(watch);
    signal.addEventListener("abort", onAbort, { once: true });
    void ended.then(() => settle("ended"));
  });
}

function sizeOf(path: string): number {
  return statSync(path, { throwIfNoEntry: false })?.size ?? 0;
}

/** Has what holds a container end it now, and remove it, which nothing else would do. */
async function endContainer(group: number): Promise<void> {
  if (sendSignal(-group, "SIGTERM")) await groupEnds(group, 2 * CONTAINER_END_MS_MAX);
}

/** Waits, up to a time limit, until the group is empty, members that outlive their leader included. */
async function groupEnds(group: number, graceMs: number): Promise<void> {
  const endMs = performance.now() + graceMs;
  while (isGroupAlive(group) && performance.now() < endMs) await sleep(GROUP_POLL_MS);
}
