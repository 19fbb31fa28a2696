import type { LeaseHeld } from "../../base/ports/locks.ts";
import type { ProcessIdentity, SpawnFailure } from "../../base/ports/processes.ts";
import { ok, type Result } from "../../base/result.ts";
import type { Role } from "../../base/role.ts";
import type { FileFailure } from "../../base/ports/files.ts";
import { leasePath, type Home } from "../../fs-protocol/home/home.ts";
import { explainedFailure } from "../../work/explained-failure.ts";
import type { Ports } from "../../work/role-context.ts";
import type { FormerDaemons } from "./former-daemons.ts";
import { type EarlyRole, type RoleCommand, spawnRole } from "./early-role.ts";
import type { RoleHolder } from "./decide.ts";
import type { ProcessEnd } from "./restart-history.ts";

/** What a `RoleProcess` needs. */
export interface RoleProcessOptions {
  readonly ports: Ports;
  readonly home: Home;
  readonly role: Role;
  readonly command: RoleCommand;
  /** Its process that waits already. */
  readonly early?: EarlyRole | undefined;
  /** An earlier supervisor ran for this session. */
  readonly isTakeOver: boolean;
  /** What it may have started. */
  readonly former: FormerDaemons;
  /** The last process that it started for this role, according to the log. */
  readonly formerPid: number | undefined;
  readonly sweepMs: number;
  /** Steady milliseconds. */
  readonly nowMs: () => number;
  /** Called when something happened that the supervisor must react to. */
  readonly changed: () => void;
}

interface KnownHolder {
  readonly holder: RoleHolder;
  readonly identity: ProcessIdentity | undefined;
  readonly sinceMs: number;
}

/**
 * The process that holds the lease of one role: our child, the child of an earlier supervisor, or a process
 * that was started by hand. The system reports the end of a child. The child of an earlier supervisor is recognized by
 * its mark, from its first instruction on, and polled until it is gone, because it may not hold its lease yet. The end
 * of a process that was started by hand is noticed when its lease is free.
 */
export class RoleProcess {
  readonly #options: RoleProcessOptions;
  #known: KnownHolder | undefined;
  #ends: ProcessEnd[] = [];
  /** Processes that earlier supervisors started, without the known holder. */
  #former: readonly ProcessIdentity[] = [];
  #isToFindFormer: boolean;
  #isStale = true;
  #refreshedMs = 0;

  constructor(options: RoleProcessOptions) {
    this.#options = options;
    this.#isToFindFormer = options.isTakeOver;
  }

  /** The process that held the lease at the last refresh, or that was started since; undefined if there is none. */
  get holder(): RoleHolder | undefined {
    return this.#known?.holder;
  }

  /** Returns the ends since the last call. */
  drainEnds(): readonly ProcessEnd[] {
    const ends = this.#ends;
    this.#ends = [];
    return ends;
  }

  /** Whether there is a holder that is not our child, whose end the system does not report to us. */
  get isForeign(): boolean {
    return this.#known !== undefined && this.holder?.whose !== "child";
  }

  /** Whether such a holder has ended, as far as its pid shows. */
  get isGone(): boolean {
    return this.isForeign && !this.#isAlive();
  }

  /** Called when another supervisor may have started processes meanwhile. */
  takeOver(): void {
    this.#options.former.forget();
    this.#isToFindFormer = true;
    this.#isStale = true;
  }

  /** Called when the lease may have changed hands. */
  markStale(): void {
    this.#isStale = true;
  }

  /** Finds out which process holds the lease, if that may have changed since the last refresh. */
  async refresh(): Promise<void> {
    if (this.holder?.whose === "child" || !this.#isRefreshDue()) return;
    this.#isStale = false;
    this.#refreshedMs = this.#options.nowMs();
    if (this.#isToFindFormer) await this.#findFormer();
    if (this.holder?.whose === "inherited") {
      if (this.#isAlive()) return;
      this.#end({ kind: "gone" });
    }
    const isHeld = await this.#options.ports.locks.isLeaseHeld(this.#leasePath);
    if (!isHeld) {
      this.#end({ kind: "left" });
      this.#adoptFormer();
    } else if (!this.#isAlive()) await this.#identifyHolder();
  }

  /** Starts the role, whose process takes the lease by itself. Returns its pid. */
  start(): Result<number, SpawnFailure> {
    const { ports, early } = this.#options;
    const begun = early?.begin();
    const started = begun === undefined ? spawnRole(this.#options, { isGated: false }) : ok(begun);
    if (!started.ok) {
      const { errno } = started.failure;
      this.#note({ kind: "not-started", errno }, { ranMs: 0, wasAsked: false });
      return started;
    }
    const { daemon, logPath, outputBytes } = started.value;
    const { pid, ended } = daemon;
    this.#setHolder({ whose: "child", pid }, ports.processes.identify(pid));
    void ended.then((code) => {
      const explanation =
        code === 0 ? undefined : explainedFailure(ports.files, logPath, outputBytes);
      this.#end({ kind: "exited", code }, explanation);
    });
    return ok(pid);
  }

  /** Asks the process to end by TERM; the role then interrupts its engine by itself. */
  terminate(): void {
    if (this.#known === undefined) return;
    const { holder } = this.#known;
    this.#known = { ...this.#known, holder: { ...holder, askedMs: this.#options.nowMs() } };
    if (holder.pid !== undefined && this.#isReachable()) {
      this.#options.ports.processes.signal(holder.pid, "SIGTERM");
    }
  }

  /** Kills the process and its process group. */
  kill(): void {
    if (this.#known === undefined) return;
    const { holder } = this.#known;
    const askedMs = holder.askedMs ?? this.#options.nowMs();
    this.#known = { ...this.#known, holder: { ...holder, askedMs, isKilled: true } };
    if (holder.pid !== undefined && this.#isReachable()) this.#killGroup(holder.pid);
  }

  get #leasePath(): string {
    return leasePath(this.#options.home, this.#options.role);
  }

  #isRefreshDue(): boolean {
    const { nowMs, sweepMs } = this.#options;
    return this.#isStale || this.isGone || nowMs() - this.#refreshedMs >= sweepMs;
  }

  #isAlive(identity = this.#known?.identity): boolean {
    if (identity === undefined) return false;
    return isSame(this.#options.ports.processes.identify(identity.pid), identity);
  }

  /** Whether its pid still belongs to it; the system does not reuse a child's pid before it reported the child's end. */
  #isReachable(): boolean {
    return this.holder?.whose === "child" || this.#isAlive();
  }

  async #findFormer(): Promise<void> {
    const { former, role } = this.#options;
    this.#former = await former.of(role);
    this.#isToFindFormer = false;
  }

  /** With the lease free, makes a living process of an earlier supervisor the holder: it may be about to take it. */
  #adoptFormer(): void {
    this.#former = this.#former.filter((one) => this.#isAlive(one));
    const [first, ...rest] = this.#former;
    if (first === undefined) return;
    this.#former = rest;
    this.#setHolder({ whose: "inherited", pid: first.pid }, first);
  }

  async #identifyHolder(): Promise<void> {
    const { ports } = this.#options;
    const taken = await ports.locks.takeLease(this.#leasePath);
    if (taken.ok) {
      // The lease was released since it was checked.
      await taken.value.release();
      this.#end({ kind: "left" });
      return;
    }
    const holder = holderOf(taken.failure);
    if (this.#known !== undefined && isSame(this.#known.identity, holder)) return;
    const whose = holder !== undefined && (await this.#isFormer(holder)) ? "inherited" : "by-hand";
    this.#setHolder({ whose, pid: holder?.pid }, holder);
  }

  /** Whether an earlier supervisor started it: by its pid in the log, or by its mark, where the system shows marks. */
  async #isFormer(holder: ProcessIdentity): Promise<boolean> {
    if (holder.pid === this.#options.formerPid) return true;
    // It may have been started after the last search.
    this.#options.former.forget();
    await this.#findFormer();
    const isMarked = this.#former.some((one) => isSame(one, holder));
    this.#former = this.#former.filter((one) => !isSame(one, holder));
    return isMarked;
  }

  #setHolder(
    holder: Pick<RoleHolder, "whose" | "pid">,
    identity: ProcessIdentity | undefined,
  ): void {
    if (holder.whose !== "child") this.#options.early?.dismiss();
    this.#known = {
      holder: { ...holder, askedMs: undefined, isKilled: false },
      identity,
      sinceMs: this.#options.nowMs(),
    };
  }

  #end(how: ProcessEnd["how"], explanation?: string): void {
    if (this.#known === undefined) return;
    const { holder, sinceMs } = this.#known;
    const wasAsked = holder.askedMs !== undefined;
    // The role's own children, such as git commands, are in its process group.
    if (wasAsked && holder.pid !== undefined) this.#killGroup(holder.pid);
    this.#known = undefined;
    this.#note(how, { ranMs: this.#options.nowMs() - sinceMs, wasAsked, explanation });
  }

  #note(how: ProcessEnd["how"], more: Omit<ProcessEnd, "how" | "atMs">): void {
    this.#ends.push({ how, atMs: this.#options.nowMs(), ...more });
    this.#isStale = true;
    this.#options.changed();
  }

  #killGroup(pid: number): void {
    this.#options.ports.processes.signal(-pid, "SIGKILL");
  }
}

function holderOf(failure: LeaseHeld | FileFailure): ProcessIdentity | undefined {
  return failure.kind === "lease-held" ? failure.holder : undefined;
}

function isSame(one: ProcessIdentity | undefined, other: ProcessIdentity | undefined): boolean {
  return one?.pid === other?.pid && one?.startTime === other?.startTime;
}
