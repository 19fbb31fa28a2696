import { fromEvent, lastValueFrom, merge } from "rxjs";
import { assert } from "../../base/assert.ts";
import { CannotGoOn, need, type WorldFailure } from "../../base/fatal.ts";
import type { LeaseHeld } from "../../base/ports/locks.ts";
import type { CommonRecord } from "../../fs-protocol/records/common-records.ts";
import { homeFamily } from "../../fs-protocol/home/home-family.ts";
import type { Role } from "../../base/role.ts";
import { SHARED_FILES } from "../../fs-protocol/home/catalogue.ts";
import { leasePath, roleLog, type Home } from "../../fs-protocol/home/home.ts";
import type { SessionState } from "../../session/state/session-state.ts";
import { coordinator } from "../../streams/coordinator.ts";
import { changesOfAny, type WatchedFile } from "../../streams/folded-file.ts";
import type { Exit, Wait } from "../../session/steps/step.ts";
import { hintedReading } from "../../streams/hinted-reading.ts";
import { watchHints } from "../../streams/watch-hints.ts";
import { closeInterruptedTurns } from "../turn/close-interrupted-turns.ts";
import { giveBackLocks } from "./give-back-locks.ts";
import type { Journal } from "./journal.ts";
import { ownFiles } from "../home/own-files.ts";
import { quarantine } from "../home/quarantine.ts";
import { runIdsOf, type RoleContext } from "./role-context.ts";
import type { RoleMain } from "./role.ts";
import { restoredRecord, type Restored } from "../home/restored-record.ts";
import { SharedFiles } from "../home/shared-files.ts";
import { sweepTemporaries } from "./sweep-temporaries.ts";
import { sweepFolders } from "../turn/turn-folder.ts";

/** Why a role's process ended. */
export type RoleEnd =
  | { readonly kind: "ended"; readonly reason: Exit["reason"] | "interrupted" }
  | LeaseHeld
  | { readonly kind: "failed"; readonly failure: WorldFailure };

/** One role's process. `Work`: its steps that are neither a wait nor the end. */
export interface RoleRun<Work extends { readonly kind: string }> {
  readonly context: Omit<RoleContext, "journal"> & { readonly journal: Journal<CommonRecord> };
  readonly main: RoleMain<Work>;
  readonly decide: (state: SessionState, nowMs: number) => Work | Wait | Exit;
  /** Interrupts the process's work: aborts `context.signal`. */
  readonly interrupt: () => void;
}

/**
 * Runs a role from its lease to its end: the session is over, a person stopped it, or the process was
 * asked to end. A second process of the same role is refused; a lost lease ends the work at once.
 */
export async function runRole<Work extends { readonly kind: string }>(
  run: RoleRun<Work>,
): Promise<RoleEnd> {
  const { role, ports, home } = run.context;
  const taken = await ports.locks.takeLease(leasePath(home, role));
  if (!taken.ok) {
    const { failure } = taken;
    return failure.kind === "lease-held" ? failure : { kind: "failed", failure };
  }
  const lease = taken.value;
  void lease.lost.then(run.interrupt);
  try {
    const reason = await work(run);
    if (reason === "done") await giveBackLocks(ports, home);
    return { kind: "ended", reason };
  } catch (error) {
    if (error instanceof CannotGoOn) return { kind: "failed", failure: error.failure };
    throw error;
  } finally {
    await lease.release();
  }
}

async function work<Work extends { readonly kind: string }>(
  run: RoleRun<Work>,
): Promise<Exit["reason"] | "interrupted"> {
  const { context, main } = run;
  const { role, ports, home, signal, journal, reader } = context;
  // In the clone that a session shares with its revisions nobody else may still be at work.
  const family = need(homeFamily(ports.files, home, context.session));
  await ports.processes.sweep(...family.flatMap((one) => runIdsOf(one, role)));
  // Nobody of this role works any more: what killed turns left can go.
  sweepFolders(ports, context);
  sweepTemporaries(ports.files, context);
  const shared = new SharedFiles(context);
  const restored = [...(await shared.look())];
  let state = need(await reader.read());
  await quarantine(context, reader.quarantined(), [roleLog(home, role)]);
  const first = run.decide(state, ports.clock.nowMs());
  if (isExit(first)) {
    // After the end no log is written, not even that somebody looked (R19). What follows from the
    // last record may be missing still, if the process that wrote it was killed right after it.
    await main.reconcile?.();
    return first.reason;
  }
  journal.append({ kind: "role.start", time: journal.time(), pid: context.pid });
  noteRestored(context, restored.splice(0));
  await closeInterruptedTurns(context);
  await main.start(state);
  const hint$ = watchHints(ports.watcher, [home.logs, home.directory]);
  const reading = hintedReading(
    { readOn: () => reader.readOn(role), readAll: () => reader.read() },
    changesOfAny([...reader.logs, ...keptFiles(role, home)], hint$),
  );
  const steps$ = coordinator<Work>({
    hint$: merge(reading.hint$, fromEvent(signal, "abort")),
    nowMs: () => ports.clock.nowMs(),
    decide: async () => {
      restored.push(...(await shared.look()));
      state = need(await reading.read());
      // Also before the end: what stands in the log is then in the files that people read and edit.
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
  assert(last !== undefined && isExit(last), "a role's loop ends with an exit");
  const reason = signal.aborted ? "interrupted" : last.reason;
  if (reason !== "done") journal.append({ kind: "role.end", time: journal.time(), reason });
  return reason;
}

/** What the role puts back where somebody else changed it, and what says that the end is to be believed. */
function keptFiles(role: Role, home: Home): readonly WatchedFile[] {
  const shared = SHARED_FILES.map((name) => home[name]);
  return [...ownFiles(role, home), ...shared, home.builderDone].map((path) => ({ path }));
}

/** What was put back is on record, but for after the session's end. */
function noteRestored(
  { home, journal, ports: { clock } }: RoleRun<never>["context"],
  restored: readonly Restored[],
): void {
  const records = restored.map((one) => restoredRecord(one, { home, clock }));
  // Also without any: what the role put back of its own files waits for an append as well.
  journal.append(...records);
}

function isExit(step: { readonly kind: string }): step is Exit {
  return step.kind === "exit";
}
