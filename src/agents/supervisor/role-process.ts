import { join } from "node:path";
import type { LeaseHeld } from "../../base/locks.ts";
import type { ProcessIdentity, SpawnFailure } from "../../base/processes.ts";
import { ok, type Result } from "../../base/result.ts";
import type { Role } from "../../base/role.ts";
import type { FileFailure } from "../../base/files.ts";
import { leasePath, type Home } from "../../fs-protocol/home.ts";
import { lastWords } from "../last-words.ts";
import type { Ports } from "../role-context.ts";
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
  /** The last process that an earlier supervisor started for this role. */
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
 * that was started by hand. The end of a child is told by the system; the lease of any other is
 * looked at.
 */
export class RoleProcess {
  readonly #options: RoleProcessOptions;
  #known: Known | undefined;
  #ends: ProcessEnd[] = [];
  #isInDoubt = true;
  #lookedMs = 0;

  constructor(options: RoleProcessOptions) {
    this.#options = options;
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

  /** The lease may have changed hands. */
  doubt(): void {
    this.#isInDoubt = true;
  }

  /** Finds out who has the lease, as far as that may have changed since the last look. */
  async look(): Promise<void> {
    if (this.holder?.whose === "child" || !this.#isLookDue()) return;
    this.#isInDoubt = false;
    this.#lookedMs = this.#options.nowMs();
    const isHeld = await this.#options.ports.locks.isLeaseHeld(this.#leasePath);
    if (!isHeld) this.#end({ kind: "left" });
    else if (!this.#isAlive()) await this.#meetHolder();
  }

  /** Starts the role; its process takes the lease by itself. The value is its pid. */
  start(): Result<number, SpawnFailure> {
    const { ports, home, role, command } = this.#options;
    const { cwd, env } = command;
    const logPath = join(home.logs, `${role}.out`);
    const before = ports.files.stat(logPath)?.sizeBytes ?? 0;
    const started = ports.processes.daemon({ argv: command.argv(role), cwd, env, logPath });
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

  #isLookDue(): boolean {
    const { nowMs, sweepMs } = this.#options;
    return this.#isInDoubt || this.isGone || nowMs() - this.#lookedMs >= sweepMs;
  }

  #isAlive(): boolean {
    const identity = this.#known?.identity;
    if (identity === undefined) return false;
    const now = this.#options.ports.processes.identify(identity.pid);
    return now?.startTime === identity.startTime;
  }

  /** The number of a child is not given to another process before we were told of its end. */
  #isReachable(): boolean {
    return this.holder?.whose === "child" || this.#isAlive();
  }

  async #meetHolder(): Promise<void> {
    const { ports, formerPid } = this.#options;
    const taken = await ports.locks.takeLease(this.#leasePath);
    if (taken.ok) {
      // It fell free between two looks.
      await taken.value.release();
      this.#end({ kind: "left" });
      return;
    }
    const holder = holderOf(taken.failure);
    if (this.#known !== undefined && isSame(this.#known.identity, holder)) return;
    const isOurs = holder !== undefined && holder.pid === formerPid;
    this.#know({ whose: isOurs ? "inherited" : "by-hand", pid: holder?.pid }, holder);
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
