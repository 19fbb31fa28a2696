import { join } from "node:path";
import type { LeaseHeld } from "../../base/ports/locks.ts";
import type { ProcessIdentity, SpawnFailure } from "../../base/ports/processes.ts";
import { ok, type Result } from "../../base/result.ts";
import type { Role } from "../../base/role.ts";
import type { FileFailure } from "../../base/ports/files.ts";
import { leasePath, type Home } from "../../fs-protocol/home/home.ts";
import { lastWords } from "../work/last-words.ts";
import type { Ports } from "../work/role-context.ts";
import { daemonMark } from "./daemon-mark.ts";
import type { RoleHolder } from "./decide.ts";
import type { ProcessEnd } from "./restart-history.ts";

/** How the processes of roles are started. */
export interface RoleCommand {
  readonly argv: (role: Role) => readonly [string, ...string[]];
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
}

export interface RoleProcessOptions {
  readonly ports: Ports;
  readonly home: Home;
  readonly role: Role;
  readonly command: RoleCommand;
  /** Another supervisor was there before. */
  readonly isTakeOver: boolean;
  /** The last process that it started for this role, as it stands in the log. */
  readonly formerPid: number | undefined;
  readonly sweepMs: number;
  /** Steady milliseconds. */
  readonly nowMs: () => number;
  /** Called when something happened that is to be looked at. */
  readonly changed: () => void;
}

interface Known {
  readonly holder: RoleHolder;
  readonly identity: ProcessIdentity | undefined;
  readonly sinceMs: number;
}

/**
 * Whoever has the lease of one role: our child, the child of a supervisor that died, or a process
 * that was started by hand. The end of a child is told by the system. The child of another supervisor is
 * known by its mark, from its first instruction on, and looked at until it is gone: it may not have its
 * lease yet. Of who was started by hand the lease is looked at.
 */
export class RoleProcess {
  readonly #options: RoleProcessOptions;
  #known: Known | undefined;
  #ends: ProcessEnd[] = [];
  /** Processes that other supervisors started, the one that is known left out. */
  #former: readonly ProcessIdentity[] = [];
  #isToFindFormer: boolean;
  #isInDoubt = true;
  #lookedMs = 0;

  constructor(options: RoleProcessOptions) {
    this.#options = options;
    this.#isToFindFormer = options.isTakeOver;
  }

  get holder(): RoleHolder | undefined {
    return this.#known?.holder;
  }

  /** Ends since the last call. */
  takeEnds(): readonly ProcessEnd[] {
    const ends = this.#ends;
    this.#ends = [];
    return ends;
  }

  /** Whether a process that is not our child has ended, as far as its number tells. */
  get isGone(): boolean {
    return this.#known !== undefined && this.holder?.whose !== "child" && !this.#isAlive();
  }

  /** Another supervisor may have started processes meanwhile. */
  takeOver(): void {
    this.#isToFindFormer = true;
    this.#isInDoubt = true;
  }

  /** The lease may have changed hands. */
  doubt(): void {
    this.#isInDoubt = true;
  }

  /** Finds out who has the lease, as far as that may have changed since the last look. */
  async look(): Promise<void> {
    if (this.holder?.whose === "child" || !this.#isLookDue()) return;
    this.#isInDoubt = false;
    this.#lookedMs = this.#options.nowMs();
    if (this.#isToFindFormer) await this.#findFormer();
    if (this.holder?.whose === "inherited") {
      if (this.#isAlive()) return;
      this.#end({ kind: "gone" });
    }
    const isHeld = await this.#options.ports.locks.isLeaseHeld(this.#leasePath);
    if (!isHeld) {
      this.#end({ kind: "left" });
      this.#awaitFormer();
    } else if (!this.#isAlive()) await this.#meetHolder();
  }

  /** Starts the role; its process takes the lease by itself. The value is its pid. */
  start(): Result<number, SpawnFailure> {
    const { ports, home, role, command } = this.#options;
    const { cwd, env } = command;
    const logPath = join(home.logs, `${role}.out`);
    const before = ports.files.stat(logPath)?.sizeBytes ?? 0;
    const argv = command.argv(role);
    const started = ports.processes.daemon({ argv, cwd, env, logPath, mark: this.#mark });
    if (!started.ok) {
      const { errno } = started.failure;
      this.#note({ kind: "not-started", errno }, { ranMs: 0, wasAsked: false });
      return started;
    }
    const { pid, ended } = started.value;
    this.#know({ whose: "child", pid }, ports.processes.identify(pid));
    void ended.then((code) => {
      const said = code === 0 ? undefined : lastWords(ports.files, logPath, before);
      this.#end({ kind: "exited", code }, said);
    });
    return ok(pid);
  }

  /** Asks the process to leave; the role interrupts its engine by itself. */
  terminate(): void {
    if (this.#known === undefined) return;
    const { holder } = this.#known;
    this.#known = { ...this.#known, holder: { ...holder, askedMs: this.#options.nowMs() } };
    if (holder.pid !== undefined && this.#isReachable()) {
      this.#options.ports.processes.signal(holder.pid, "SIGTERM");
    }
  }

  /** Kills the process and what is left of its group. */
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

  get #mark(): string {
    return daemonMark(this.#options.home, this.#options.role);
  }

  #isLookDue(): boolean {
    const { nowMs, sweepMs } = this.#options;
    return this.#isInDoubt || this.isGone || nowMs() - this.#lookedMs >= sweepMs;
  }

  #isAlive(identity = this.#known?.identity): boolean {
    if (identity === undefined) return false;
    return isSame(this.#options.ports.processes.identify(identity.pid), identity);
  }

  /** The number of a child is not given to another process before we were told of its end. */
  #isReachable(): boolean {
    return this.holder?.whose === "child" || this.#isAlive();
  }

  async #findFormer(): Promise<void> {
    this.#former = await this.#options.ports.processes.findDaemons(this.#mark);
    this.#isToFindFormer = false;
  }

  /** The lease is free: the process that was started for this role may still take it. */
  #awaitFormer(): void {
    this.#former = this.#former.filter((one) => this.#isAlive(one));
    const [first, ...rest] = this.#former;
    if (first === undefined) return;
    this.#former = rest;
    this.#know({ whose: "inherited", pid: first.pid }, first);
  }

  async #meetHolder(): Promise<void> {
    const { ports } = this.#options;
    const taken = await ports.locks.takeLease(this.#leasePath);
    if (taken.ok) {
      // It fell free between two looks.
      await taken.value.release();
      this.#end({ kind: "left" });
      return;
    }
    const holder = holderOf(taken.failure);
    if (this.#known !== undefined && isSame(this.#known.identity, holder)) return;
    const whose = holder !== undefined && (await this.#isFormer(holder)) ? "inherited" : "by-hand";
    this.#know({ whose, pid: holder?.pid }, holder);
  }

  /** By its mark; where the system shows none, by the log. */
  async #isFormer(holder: ProcessIdentity): Promise<boolean> {
    if (holder.pid === this.#options.formerPid) return true;
    await this.#findFormer();
    const isMarked = this.#former.some((one) => isSame(one, holder));
    this.#former = this.#former.filter((one) => !isSame(one, holder));
    return isMarked;
  }

  #know(holder: Pick<RoleHolder, "whose" | "pid">, identity: ProcessIdentity | undefined): void {
    this.#known = {
      holder: { ...holder, askedMs: undefined, isKilled: false },
      identity,
      sinceMs: this.#options.nowMs(),
    };
  }

  #end(how: ProcessEnd["how"], said?: string): void {
    if (this.#known === undefined) return;
    const { holder, sinceMs } = this.#known;
    const wasAsked = holder.askedMs !== undefined;
    // Helpers that the role had started, a git command for one, live in its group.
    if (wasAsked && holder.pid !== undefined) this.#killGroup(holder.pid);
    this.#known = undefined;
    this.#note(how, { ranMs: this.#options.nowMs() - sinceMs, wasAsked, said });
  }

  #note(how: ProcessEnd["how"], more: Pick<ProcessEnd, "ranMs" | "wasAsked" | "said">): void {
    this.#ends.push({ how, atMs: this.#options.nowMs(), ...more });
    this.#isInDoubt = true;
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
