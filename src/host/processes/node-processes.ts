import { STOP_GRACE_MS } from "../../base/limits.ts";
import type { Processes } from "../../base/ports/processes.ts";
import { attachCommand } from "./attach-command.ts";
import { startDaemon } from "./daemon.ts";
import { findDaemons } from "./find-daemons.ts";
import { identify } from "./process-identity.ts";
import { runProcess } from "./run-command.ts";
import { sendSignal } from "./signals.ts";
import { Sweeper } from "./sweep.ts";

/** Implements the port for this machine's processes. `stopGraceMs` is the time between TERM and KILL. */
export function createNodeProcesses({
  stopGraceMs = STOP_GRACE_MS,
}: { readonly stopGraceMs?: number | undefined } = {}): Processes {
  const sweeper = new Sweeper();
  return {
    run: (options) => runProcess(options, { sweeper, stopGraceMs }),
    attach: (command) => attachCommand(command, sweeper),
    daemon: startDaemon,
    findDaemons,
    sweep: (...runIds) => sweeper.sweepRuns(runIds),
    identify,
    signal: sendSignal,
  };
}
