import { EXIT } from "../../base/exit-code.ts";
import { join } from "node:path";
import { filter, from, lastValueFrom, map, merge, startWith, take } from "rxjs";
import { present } from "../../base/assert.ts";
import { need } from "../../base/fatal.ts";
import type { Files } from "../../base/ports/files.ts";
import type { Command, SpawnFailure } from "../../base/ports/processes.ts";
import { ok, type Result } from "../../base/result.ts";
import { leasePath, type Home } from "../../fs-protocol/home/home.ts";
import { LogFold } from "../../fs-protocol/codec/log-fold.ts";
import { SupervisorRecord } from "../../fs-protocol/records/supervisor-log.ts";
import { watchHints } from "../../streams/watch-hints.ts";
import { explainedFailure } from "../../work/explained-failure.ts";
import { refuseWrites } from "../../home/write-fence.ts";
import type { Ports } from "../../work/role-context.ts";
import { daemonMark } from "./daemon-mark.ts";
import type { EarlySupervisor } from "./early-supervisor.ts";

/** `started`: it holds its lease. `ended`: it ended before its start was seen, or could not run. */
export type EnsuredSupervisor =
  | { readonly kind: "running" }
  | { readonly kind: "started"; readonly pid: number }
  | {
      readonly kind: "ended";
      readonly pid: number;
      readonly exitCode: number;
      /** Its last lines of output, which explain its end. */
      readonly explanation: string | undefined;
    };

/** What is needed to start a supervisor. */
export interface EnsureOptions {
  readonly home: Home;
  /** How a supervisor is started: detached, with its output in `logs/supervisor.out`. */
  readonly supervisor: Command;
  /** A process that was started for it before, and waits; it is not used if another supervisor runs. */
  readonly early?: EarlySupervisor | undefined;
}

/**
 * Makes sure that a supervisor runs for the session. A command that appends to human.log must append first
 * and then call this: a supervisor that is ending releases its lease before it reads human.log for the last
 * time, so either it sees the new record, or this function sees the free lease. Throws `CannotGoOn` if the home is not
 * written on this machine.
 */
export async function ensureSupervisor(
  ports: Ports,
  { home, supervisor, early }: EnsureOptions,
): Promise<Result<EnsuredSupervisor, SpawnFailure>> {
  if (await ports.locks.isLeaseHeld(leasePath(home, "supervisor"))) return ok({ kind: "running" });
  need(refuseWrites(ports.files, home));
  const starts = startsIn(ports.files, home);
  const before = need(starts.refresh()).length;
  const logPath = supervisorOutput(home);
  const outputBytes = ports.files.stat(logPath)?.sizeBytes ?? 0;
  const mark = daemonMark(home, "supervisor");
  need(ports.files.makeDirectory(home.logs));
  const begun = early?.begin(home);
  const daemon = begun ? ok(begun) : ports.processes.daemon({ ...supervisor, logPath, mark });
  if (!daemon.ok) return daemon;
  const { pid, ended } = daemon.value;
  const started$ = watchHints(ports.watcher, [home.logs]).pipe(
    startWith(undefined),
    filter(() => need(starts.refresh()).slice(before).includes(pid)),
    map((): EnsuredSupervisor => ({ kind: "started", pid })),
  );
  const endOf = (exitCode: number): EnsuredSupervisor => {
    // Another supervisor may have taken the lease first.
    if (exitCode === EXIT.leaseHeld) return { kind: "running" };
    return {
      kind: "ended",
      pid,
      exitCode,
      explanation: explainedFailure(ports.files, logPath, outputBytes),
    };
  };
  const ended$ = from(ended).pipe(map(endOf));
  const first$ = merge(started$, ended$).pipe(take(1));
  const first = await lastValueFrom(first$, { defaultValue: undefined });
  return ok(present(first, "a process starts or ends"));
}

/** The file that a supervisor's process writes its output to. */
export function supervisorOutput(home: Home): string {
  return join(home.logs, "supervisor.out");
}

/** The pids of the processes that took the supervisor's lease, in order. */
function startsIn(files: Files, home: Home) {
  return new LogFold({
    files,
    path: home.supervisorLog,
    schema: SupervisorRecord,
    empty: noPids,
    reduce: (pids, record) => (record.kind === "supervisor.start" ? [...pids, record.pid] : pids),
  });
}

const noPids: readonly number[] = [];
