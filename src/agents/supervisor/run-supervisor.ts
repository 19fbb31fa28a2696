import { EXIT } from "../../base/exit-code.ts";
import { filter, lastValueFrom, merge, share, Subject, tap, type Observable } from "rxjs";
import { present } from "../../base/assert.ts";
import { polls } from "./polls.ts";
import { CannotGoOn, need } from "../../base/fatal.ts";
import type { Files } from "../../base/ports/files.ts";
import type { Lease } from "../../base/ports/locks.ts";
import type { Hub } from "../../base/ports/repo.ts";
import type { WatchHint } from "../../base/ports/watcher.ts";
import { perRole, type Role } from "../../base/role.ts";
import { leasePath, type Home } from "../../fs-protocol/home/home.ts";
import { LogFold } from "../../fs-protocol/codec/log-fold.ts";
import type { SessionJson } from "../../fs-protocol/home/session-json.ts";
import { newestFolds, type ProgramFiles } from "../../fs-protocol/home/role-snapshots.ts";
import { openSessionReader } from "../../session/state/session-reader.ts";
import { SupervisorRecord } from "../../fs-protocol/records/supervisor-log.ts";
import { coordinator } from "../../streams/coordinator.ts";
import { guardedFiles } from "../../home/own-files.ts";
import { changesOfAny } from "../../streams/folded-file.ts";
import { createJournal } from "../../work/journal.ts";
import { ensureSessionCopy } from "../../home/session-copy.ts";
import { quarantine } from "../../home/quarantine.ts";
import type { Ports } from "../../work/role-context.ts";
import { SharedFiles } from "../../home/shared-files.ts";
import { refuseWrites, WriteFence } from "../../home/write-fence.ts";
import { sweepTemporaries } from "../../work/sweep-temporaries.ts";
import { Announcer, type NotifyCommand } from "./announcer.ts";
import { BudgetCall } from "./budget-call.ts";
import { EarlyRole, type RoleCommand } from "./early-role.ts";
import { FormerDaemons } from "./former-daemons.ts";
import { RoleProcess } from "./role-process.ts";
import { steadyTime } from "./steady-time.ts";
import { Supervisor, type SupervisorWork } from "./supervisor.ts";
import type { SupervisorParts } from "./supervisor-parts.ts";
import { DEFAULT_TIMING, type Timing } from "./timing.ts";

/** What a supervisor needs to run. */
export interface SupervisorOptions {
  readonly home: Home;
  readonly session: SessionJson;
  readonly hub: Hub;
  /** The supervisor's own pid, for the log. */
  readonly pid: number;
  /** The command line of a role's process; it runs in the user's repository. */
  readonly roleArgv: (role: Role) => readonly [string, ...string[]];
  /** The whole environment of the roles' processes. */
  readonly env: Readonly<Record<string, string>>;
  /** Emits for each signal that asks to stop: the first stops gracefully, the second at once. */
  readonly stop$: Observable<unknown>;
  /** The program, whose roles keep what they have read of long logs; absent: the logs are read from their start. */
  readonly program?: ProgramFiles | undefined;
  /** There is nobody to ask: when everything waits for an answer, the supervisor ends with exit code 4. */
  readonly noInput?: boolean | undefined;
  /**
   * Called when the session cannot be read. Returns the damage that only a person can repair and the command for it;
   * undefined if there is none. Absent: the session is read again until that works.
   */
  readonly damage?: (() => string | undefined) | undefined;
  /** Notifies a person of questions and of the end; undefined if nobody is to be notified. */
  readonly notify?: NotifyCommand | undefined;
  /** Asks the session's fleet for more budget; undefined if it is in none. Never rejects for what may go wrong in the world. */
  readonly askFleet?: (() => Promise<void>) | undefined;
  readonly timing?: Timing | undefined;
  /** The processes of roles can wait at a gate: the one that a new session needs first is started at once. */
  readonly hasGates?: boolean | undefined;
}

/**
 * Supervises a session to its end: makes sure that each role's lease is held while there is work.
 * Returns the exit code: 0 complete or stopped, 4 input needed and nobody to ask, 5 stuck, builder
 * failed or branch rewritten, 1 only a person can repair the files and no role runs, 6 another supervisor holds the lease, 130 a signal, 1 its own lease was lost.
 * Throws `CannotGoOn` if its log cannot be written, or the first reading of the session fails. In all these cases
 * the roles keep working, and the next supervisor takes over. Throws it too if the home is not written on this machine,
 * which is then left as it is; the roles that run nevertheless are asked to end.
 */
export async function runSupervisor(ports: Ports, options: SupervisorOptions): Promise<number> {
  const { home } = options;
  need(refuseWrites(ports.files, home));
  need(ports.files.makeDirectory(home.logs));
  need(ports.files.makeDirectory(home.locks));
  const early = earlyRole(ports, options);
  try {
    const taken = await ports.locks.takeLease(leasePath(home, "supervisor"));
    if (taken.ok) return await superviseRoles(ports, { ...options, early }, taken.value);
    if (taken.failure.kind === "lease-held") return EXIT.leaseHeld;
    throw new CannotGoOn(taken.failure);
  } finally {
    early?.dismiss();
  }
}

/**
 * Starts the process of the planner while nothing is known yet about a session that was never supervised, and has no
 * plan: it will be needed first.
 */
function earlyRole(ports: Ports, options: SupervisorOptions): EarlyRole | undefined {
  const { home, hasGates = false } = options;
  const { files } = ports;
  if (!hasGates || files.stat(home.supervisorLog) !== undefined) return undefined;
  const plans = files.list(home.plans);
  if (!plans.ok || plans.value.length > 0) return undefined;
  return new EarlyRole({ ports, home, role: "planner", command: commandOf(options) });
}

function commandOf({ roleArgv: argv, session, env }: SupervisorOptions): RoleCommand {
  return { argv, cwd: session.repository, env };
}

type BegunOptions = SupervisorOptions & { readonly early: EarlyRole | undefined };
type OwnedOptions = BegunOptions & Pick<SupervisorParts, "fence">;

async function superviseRoles(ports: Ports, options: BegunOptions, lease: Lease): Promise<number> {
  const { home, stop$ } = options;
  const fence = new WriteFence(ports.files, home);
  // With the lease: whoever moves the session has it while that is recorded.
  need(fence.check());
  sweepTemporaries(ports.files, { ...options, role: "supervisor" });
  ensureSessionCopy(ports.files, options);
  const changed$ = new Subject<void>();
  const parts = partsOf(ports, { ...options, fence }, () => changed$.next());
  await quarantineShared(parts);
  const supervisor = new Supervisor(parts, lease);
  const watched$ = ports.watcher.watch([home.logs, home.locks]).pipe(share());
  const isLock = ({ path }: WatchHint) => path.startsWith(home.locks);
  const lease$ = watched$.pipe(
    filter(isLock),
    tap(() => supervisor.leasesChanged()),
    share(),
  );
  const hint$ = merge(
    changed$,
    stop$.pipe(tap(() => supervisor.interrupt())),
    // The builder's end is believed once its copy is complete, and `builder.done` is written after the copy.
    changesOfAny([...parts.reader.logs, { path: home.builderDone }], watched$),
    lease$,
    polls(supervisor, parts.timing, lease$).pipe(filter(() => supervisor.isRefreshDue())),
  );
  const step$ = coordinator<SupervisorWork>({
    hint$,
    decide: () => supervisor.next(),
    perform: (work) => supervisor.perform(work),
    nowMs: parts.nowMs,
  });
  await lastValueFrom(step$, { defaultValue: undefined });
  return present(supervisor.exitCode, "a supervisor that ended knows its exit code");
}

function partsOf(unguarded: Ports, options: OwnedOptions, changed: () => void): SupervisorParts {
  const { home, session, hub, pid, program, noInput = false, timing = DEFAULT_TIMING } = options;
  const { clock, files: bare } = unguarded;
  const files = guardedFiles({ role: "supervisor", home, session, files: bare, clock });
  const ports = { ...unguarded, files };
  const command = commandOf(options);
  const former = formerSupervision(ports.files, home);
  const nowMs = steadyTime(ports.clock);
  const daemons = new FormerDaemons(ports, home);
  const processOf = (role: Role) => {
    const { sweepMs } = timing;
    const { isTakeOver } = former;
    const formerPid = former.pids.get(role);
    const times = { sweepMs, nowMs, changed };
    const early = role === options.early?.role ? options.early : undefined;
    const past = { isTakeOver, formerPid, former: daemons };
    return new RoleProcess({ ports, home, role, command, early, ...past, ...times });
  };
  const journal = createJournal(ports, home.supervisorLog, SupervisorRecord);
  const place = program && newestFolds({ files: ports.files, session, program });
  return {
    ports,
    home,
    fence: options.fence,
    reader: openSessionReader({ files: ports.files, hub, home, session, place }),
    shared: new SharedFiles({ ports, home, session }),
    forgetFiles: files.forget,
    journal,
    announcer: new Announcer({ ports, home, session, journal, command: options.notify }),
    budgetCall: new BudgetCall(options.askFleet),
    processes: perRole(processOf),
    damage: options.damage ?? (() => undefined),
    noInput,
    timing,
    nowMs,
    pid,
    code: program?.code,
    changed,
  };
}

/** Quarantines damage in the logs that no role is responsible for: the supervisor's own, and the people's. */
async function quarantineShared({ ports, home, reader }: SupervisorParts): Promise<void> {
  // If the session cannot be read, the supervisor's first reading reports that.
  await reader.read();
  await quarantine({ home, ports }, reader.quarantined(), [home.supervisorLog, home.humanLog]);
}

interface FormerSupervision {
  /** An earlier supervisor ran; its log may lack the last process that it started. */
  readonly isTakeOver: boolean;
  /** The pid of the last process that was started for each role. */
  readonly pids: ReadonlyMap<Role, number>;
}

const NO_FORMER: FormerSupervision = { isTakeOver: false, pids: new Map() };

/** What the log records about earlier supervisors. */
function formerSupervision(files: Files, home: Home): FormerSupervision {
  const log = new LogFold({
    files,
    path: home.supervisorLog,
    schema: SupervisorRecord,
    empty: NO_FORMER,
    reduce: ({ pids }, record): FormerSupervision => ({
      isTakeOver: true,
      pids: record.kind === "role.spawn" ? new Map(pids).set(record.role, record.pid) : pids,
    }),
  });
  return need(log.refresh());
}
