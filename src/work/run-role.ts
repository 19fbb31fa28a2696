import { fromEvent, lastValueFrom, merge } from "rxjs";
import { assert } from "../base/assert.ts";
import { CannotGoOn, need, type WorldFailure } from "../base/fatal.ts";
import { traced, type SpanOf } from "../base/ports/trace.ts";
import type { Lease, LeaseHeld } from "../base/ports/locks.ts";
import type { CommonRecord } from "../fs-protocol/records/common-records.ts";
import { homeFamily } from "../fs-protocol/home/home-family.ts";
import type { Role } from "../base/role.ts";
import { SHARED_FILES } from "../fs-protocol/home/catalogue.ts";
import { leasePath, roleLog, type Home } from "../fs-protocol/home/home.ts";
import type { SessionState } from "../session/state/session-state.ts";
import { coordinator } from "../streams/coordinator.ts";
import { changesOfAny, type WatchedFile } from "../streams/folded-file.ts";
import type { Exit, Wait } from "../session/steps/step.ts";
import { hintedReading } from "../streams/hinted-reading.ts";
import { watchHints } from "../streams/watch-hints.ts";
import { closeInterruptedTurns } from "./turn/close-interrupted-turns.ts";
import { EarlyClone } from "./early-clone.ts";
import { releaseStaleLocks } from "./release-stale-locks.ts";
import type { Journal } from "./journal.ts";
import { ownFiles } from "../home/own-files.ts";
import { quarantine } from "../home/quarantine.ts";
import { runIdsOf, type RoleContext } from "./role-context.ts";
import type { RoleMain } from "./role.ts";
import { isNotWrittenHere, type NotWrittenHere, type WriteFence } from "../home/write-fence.ts";
import { restoredRecord, type Restored } from "../home/restored-record.ts";
import { SharedFiles } from "../home/shared-files.ts";
import { sweepTemporaries } from "./sweep-temporaries.ts";
import { sweepFolders } from "./turn/turn-folder.ts";

const START: SpanOf = { category: "start", name: "start the role" };
const FOLD: SpanOf = { category: "read", name: "fold" };

/** Why a role's process ended. */
export type RoleEnd =
  | { readonly kind: "ended"; readonly reason: Exit["reason"] | "interrupted" }
  | LeaseHeld
  | NotWrittenHere
  | { readonly kind: "failed"; readonly failure: WorldFailure };

/** One role's process. `Work`: its steps other than waiting and ending. */
export interface RoleRun<Work extends { readonly kind: string }> {
  readonly context: Omit<RoleContext, "journal"> & { readonly journal: Journal<CommonRecord> };
  readonly main: RoleMain<Work>;
  readonly decide: (state: SessionState, nowMs: number) => Work | Wait | Exit;
  /** Aborts `context.signal`, which interrupts the role's work. */
  readonly interrupt: () => void;
  /** Tells whether the home may be written. */
  readonly fence: WriteFence;
}

/**
 * Runs a role from taking its lease until the session ends, a person stops it, or the process is asked to end.
 * Refuses to run a second process of the same role, and to work in a home that is not written on this machine: it is
 * then left as it is. A lost lease interrupts the work at once.
 */
export async function runRole<Work extends { readonly kind: string }>(
  run: RoleRun<Work>,
): Promise<RoleEnd> {
  const { role, ports, home } = run.context;
  const leased = await ports.locks.takeLease(leasePath(home, role));
  if (!leased.ok) {
    const { failure } = leased;
    return failure.kind === "lease-held" ? failure : { kind: "failed", failure };
  }
  const lease = leased.value;
  void lease.lost.then(run.interrupt);
  const clone = new EarlyClone(run.context);
  try {
    // With the lease: whoever moves the session has it while that is recorded.
    need(run.fence.check());
    const reason = await work({
      ...run,
      lease,
      decide: (state, nowMs) => clone.seen(run.decide(state, nowMs), state.branch.head),
    });
    if (reason === "done") await releaseStaleLocks(ports, home);
    return { kind: "ended", reason };
  } catch (error) {
    if (!(error instanceof CannotGoOn)) throw error;
    const { failure } = error;
    return isNotWrittenHere(failure) ? failure : { kind: "failed", failure };
  } finally {
    // The next process of the role may begin to create the clone as soon as it has the lease.
    await clone.settled();
    await lease.release();
  }
}

async function work<Work extends { readonly kind: string }>(
  run: RoleRun<Work> & { readonly lease: Lease },
): Promise<Exit["reason"] | "interrupted"> {
  const { context, main } = run;
  const { role, ports, home, signal, journal, reader } = context;
  await sweepFormer(context);
  const shared = new SharedFiles(context);
  const restored = [...(await shared.restoreChanged())];
  let state = need(await traced(FOLD, () => reader.read()));
  await quarantine(context, reader.quarantined(), [roleLog(home, role)]);
  const first = run.decide(state, ports.clock.nowMs());
  if (isExit(first)) {
    // No log is written after the end, not even that this process started (R19). The projections of the last
    // record may still be missing, if the process that appended it was killed right after that.
    await main.reconcile?.();
    return first.reason;
  }
  journal.append({ kind: "role.start", time: journal.time(), pid: context.pid });
  noteRestored(context, restored.splice(0));
  await closeInterruptedTurns(context);
  await traced(START, () => main.start(state));
  const hint$ = watchHints(ports.watcher, [home.logs, home.directory]);
  const reading = hintedReading(
    { readOn: () => reader.readOn(role), readAll: () => reader.read() },
    changesOfAny([...reader.logs, ...watchedFiles(role, home)], hint$),
  );
  const steps$ = coordinator<Work>({
    hint$: merge(reading.hint$, fromEvent(signal, "abort")),
    nowMs: () => ports.clock.nowMs(),
    decide: async () => {
      await run.lease.keep();
      need(run.fence.check());
      restored.push(...(await shared.restoreChanged()));
      state = need(await traced(FOLD, reading.read));
      // Also before the end, so that the files that people read and edit match the log.
      main.settle?.(state);
      if (signal.aborted) return { kind: "exit", reason: "stopped" };
      const step = run.decide(state, ports.clock.nowMs());
      if (!isExit(step)) noteRestored(context, restored.splice(0));
      return step;
    },
    async perform(step) {
      await main.perform(step, state);
      reading.checkAllNext();
    },
  });
  const last = await lastValueFrom(steps$, { defaultValue: undefined });
  assert(last !== undefined && isExit(last), "the last step of a role's loop is an exit");
  const reason = signal.aborted ? "interrupted" : last.reason;
  if (reason !== "done") journal.append({ kind: "role.end", time: journal.time(), reason });
  return reason;
}

/** Ends what earlier processes of the role left running, and removes the files that their turns left behind. */
async function sweepFormer(context: Omit<RoleContext, "journal">): Promise<void> {
  const { role, ports, home, session } = context;
  // A session shares its clones with its revisions: in each of them, something may have been left running.
  const family = need(homeFamily(ports.files, home, session));
  await ports.processes.sweep(...family.flatMap((one) => runIdsOf(one, role)));
  sweepFolders(ports, context);
  sweepTemporaries(ports.files, context);
}

/** The files that the role restores, and the marker that makes the end of a session valid. */
function watchedFiles(role: Role, home: Home): readonly WatchedFile[] {
  const shared = SHARED_FILES.map((name) => home[name]);
  return [...ownFiles(role, home), ...shared, home.builderDone].map((path) => ({ path }));
}

/** Records which files were restored. Not called after the session's end, when no log is written. */
function noteRestored(
  { home, journal, ports: { clock } }: RoleRun<never>["context"],
  restored: readonly Restored[],
): void {
  const records = restored.map((one) => restoredRecord(one, { home, clock }));
  // Also without records: the guard's records about the role's own files wait for an append.
  journal.append(...records);
}

function isExit(step: { readonly kind: string }): step is Exit {
  return step.kind === "exit";
}
