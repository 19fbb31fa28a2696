import type { ChildProcess } from "node:child_process";
import { closeSync } from "node:fs";
import { constants } from "node:os";
import type { Writable } from "node:stream";
import {
  DAEMON_MARK_VARIABLE,
  type Daemon,
  type DaemonCommand,
  type Gate,
  type SpawnFailure,
} from "../../base/ports/processes.ts";
import { ok, type Result } from "../../base/result.ts";
import { refusalOf, spawnFailure, whyNotExecutable } from "./command-checks.ts";
import { spawn } from "../system/effects.ts";
import { attempt } from "../system/errno.ts";
import { openOutput } from "../files/open-regular.ts";

/** What a gated daemon reads before it begins. */
const GO = "\n";

/**
 * Starts a process in its own session, which outlives us and does not keep us alive. `ended` resolves to the exit
 * code or, as in a shell, to 128 plus the number of the signal.
 */
export function startDaemon(command: DaemonCommand): Result<Daemon, SpawnFailure> {
  const refusal = refusalOf(command);
  if (refusal !== undefined) return spawnFailure(command, refusal);
  const { logPath } = command;
  if (logPath === undefined) return startInto(command, "ignore");
  const log = openOutput(logPath);
  if (!log.ok) return spawnFailure(command, log.failure);
  try {
    return startInto(command, log.value.fd);
  } finally {
    closeSync(log.value.fd);
  }
}

/** Where a daemon's output goes: to an open file, or nowhere. */
type Output = number | "ignore";

function startInto(command: DaemonCommand, output: Output): Result<Daemon, SpawnFailure> {
  const started = attempt(() => spawnDetached(marked(command), output));
  if (!started.ok) return spawnFailure(command, started.failure);
  const { pid, stdin } = started.value;
  // Node knows immediately that it failed, but reports the reason only later, in an event.
  if (pid === undefined) return spawnFailure(command, whyNotExecutable(command, "EAGAIN"));
  return ok({
    pid,
    ended: endOf(started.value),
    gate: stdin === null ? undefined : gateOf(stdin),
  });
}

/** The kernel closes our end of the pipe when we end, however we end. */
function gateOf(pipe: Writable): Gate {
  // The daemon may be gone, which its parent learns from its end.
  pipe.on("error", () => undefined);
  return { open: () => pipe.end(GO), close: () => pipe.end() };
}

function marked(command: DaemonCommand): DaemonCommand {
  const { env, mark } = command;
  return mark === undefined
    ? command
    : { ...command, env: { ...env, [DAEMON_MARK_VARIABLE]: mark } };
}

function spawnDetached(
  { argv, cwd, env, isGated = false }: DaemonCommand,
  output: Output,
): ChildProcess {
  const [executable, ...rest] = argv;
  const stdio = [isGated ? ("pipe" as const) : ("ignore" as const), output, output];
  const child = spawn(executable, rest, { cwd, env: { ...env }, detached: true, stdio });
  // The failure has already been returned; without a listener the event would be thrown.
  child.on("error", () => undefined);
  child.unref();
  return child;
}

function endOf(child: ChildProcess): Promise<number> {
  return new Promise((resolve) => {
    child.once("exit", (code, signalName) => {
      resolve(signalName === null ? (code ?? 1) : 128 + constants.signals[signalName]);
    });
  });
}
