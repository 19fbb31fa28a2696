import { CannotGoOn } from "../../base/fatal.ts";
import type { Lease } from "../../base/ports/locks.ts";
import { perRole, ROLES, type PerRole, type Role } from "../../base/role.ts";
import { leasePath } from "../../fs-protocol/home/home.ts";
import { waitFor, type Exit, type Wait } from "../../session/steps/step.ts";
import { releaseStaleLocks } from "../../work/release-stale-locks.ts";
import {
  decide,
  FINISH_CODE,
  type SupervisorAction,
  type Decision,
  type FinishCause,
  type RoleHolder,
  type SupervisorView,
} from "./decide.ts";
import { roleView } from "./role-view.ts";
import { isNotWrittenHere } from "../../home/write-fence.ts";
import { causeOfEnd, type ProcessEnd } from "./restart-history.ts";
import { restoreShared } from "./restore-shared.ts";
import { RoleMemory } from "./role-memory.ts";
import { NO_FACTS, sessionFacts } from "./session-facts.ts";
import {
  exitWords,
  crashLoopWords,
  finishWords,
  stoppingWords,
  unreadableWords,
} from "./supervisor-words.ts";
import { sweepRoles } from "./sweep-roles.ts";
import { POLLS_AFTER_HINT } from "./timing.ts";
import type { SupervisorParts } from "./supervisor-parts.ts";

/** The decisions that a supervisor acts on, as opposed to waiting. */
export type SupervisorWork = Exclude<Decision, { readonly kind: "wait" }>;

const EXIT: Exit = { kind: "exit", reason: "done" };
/** The exit code of a supervisor that lost its lease, which another one may hold by now. */
const LEASE_LOST_CODE = 1;

/** Holds the supervisor's lease, and makes sure that the roles run. */
export class Supervisor {
  readonly #parts: SupervisorParts;
  #lease: Lease;
  #facts = NO_FACTS;
  #isReadable = true;
  #ends: { readonly role: Role; readonly end: ProcessEnd }[] = [];
  readonly #memory = new RoleMemory();
  #signals = 0;
  /** When all logs were last read regardless of hints; the first reading always reads them all. */
  #sweptMs = -Infinity;
  /** At how many of the next polls the leases are checked again. */
  #pollsLeft = 0;
  #beganMs = 0;
  #sawRewritten = false;
  #exitCode: number | undefined;
  /** How the last process of each role explained its end. */
  readonly #explanations = new Map<Role, string | undefined>();

  constructor(parts: SupervisorParts, lease: Lease) {
    this.#parts = parts;
    this.#lease = lease;
    this.#begin(lease);
  }

  /** Set when the supervisor has ended. */
  get exitCode(): number | undefined {
    return this.#exitCode;
  }

  /** Called for each signal that asks to stop: the first stops gracefully, the second at once. */
  interrupt(): void {
    this.#signals += 1;
  }

  /** Called when leases may have changed hands. */
  leasesChanged(): void {
    this.#markLeasesStale();
    this.#pollsLeft = POLLS_AFTER_HINT;
  }

  /** Whether something may change soon that gives no hint: a lease, or the end of a process that is not our child. */
  get hasToPoll(): boolean {
    return this.#pollsLeft > 0 || this.#isAny("isForeign");
  }

  /** Whether something may have changed that gives no hint. Called at each poll. */
  isRefreshDue(): boolean {
    if (this.#isSweepDue) return true;
    if (this.#pollsLeft > 0) {
      this.#pollsLeft -= 1;
      this.#markLeasesStale();
      return true;
    }
    return this.#isAny("isGone");
  }

  #isAny(what: "isForeign" | "isGone"): boolean {
    return ROLES.some((role) => this.#parts.processes[role][what]);
  }

  /** Checks which processes hold the leases, reads what was written, and decides. */
  async next(): Promise<SupervisorWork | Wait | Exit> {
    if (this.#exitCode !== undefined) return EXIT;
    const { processes, timing, nowMs } = this.#parts;
    // Processes before logs, so that the records of a role that has ended are all read.
    await Promise.all(ROLES.map((role) => processes[role].refresh()));
    this.#needOwnHome();
    const holders = perRole((role) => processes[role].holder);
    for (const role of ROLES) {
      this.#ends.push(...processes[role].drainEnds().map((end) => ({ role, end })));
    }
    await restoreShared(this.#parts, this.#lease);
    const isFresh = await this.#read();
    // If the session cannot be read, the only possible decision is to stop, which must always be possible.
    const isToEnd = this.#signals > 0 || this.#facts.damage !== undefined;
    if (!isFresh && !isToEnd) return waitFor({ kind: "idle" });
    this.#noteEnds(holders);
    this.#memory.noteRestarts(this.#facts.restarts, holders);
    const view: SupervisorView = {
      nowMs: nowMs(),
      beganMs: this.#beganMs,
      session: this.#facts,
      signals: this.#signals,
      sawRewritten: this.#sawRewritten,
      roles: perRole((role) => roleView(this.#parts, this.#memory, role, holders[role])),
    };
    const decision = decide(view, timing);
    return decision.kind === "wait" ? waitFor({ kind: "idle" }, decision.untilMs) : decision;
  }

  /** Carries out a decision. */
  async perform(work: SupervisorWork): Promise<void> {
    if (work.kind === "finish") return this.#finish(work.cause);
    const { journal, processes, timing } = this.#parts;
    const holders = perRole((role) => processes[role].holder);
    for (const action of work.actions) this.#act(action);
    // Noted afterwards, because a full disk must not keep processes from being stopped.
    const text = stoppingWords(work.actions, holders, timing);
    if (text !== undefined) journal.append({ kind: "note", time: journal.time(), text });
  }

  #begin(lease: Lease): void {
    const { journal, pid, nowMs } = this.#parts;
    this.#lease = lease;
    this.#beganMs = nowMs();
    this.#memory.forget(...ROLES);
    this.#sawRewritten = false;
    this.#markLeasesStale();
    journal.append({ kind: "supervisor.start", time: journal.time(), pid });
    void lease.lost.then(() => {
      // Another supervisor may run by now, so this one must not touch anything any more.
      this.#exitCode ??= LEASE_LOST_CODE;
      this.#parts.changed();
    });
  }

  /** Ends the supervision, without a record, if the home is not written here any more: it has moved. */
  #needOwnHome(): void {
    const { fence, processes } = this.#parts;
    const allowed = fence.check();
    // What cannot be read now is reported by the reading of the session.
    if (allowed.ok || !isNotWrittenHere(allowed.failure)) return;
    for (const role of ROLES) processes[role].terminate();
    throw new CannotGoOn(allowed.failure);
  }

  get #isSweepDue(): boolean {
    const { timing, nowMs } = this.#parts;
    return nowMs() - this.#sweptMs >= timing.sweepMs;
  }

  #markLeasesStale(): void {
    for (const role of ROLES) this.#parts.processes[role].markStale();
  }

  /** Reads the session. Only a failure of the first reading is fatal: the roles keep running, and so does this. */
  async #read(): Promise<boolean> {
    const { reader, ports, noInput, journal, announcer, budgetCall, nowMs } = this.#parts;
    // The hints for the last writes of an ended process may still be on their way.
    const isWhole = this.#ends.length > 0 || this.#isSweepDue;
    if (isWhole) this.#sweptMs = nowMs();
    const read = await (isWhole ? reader.read() : reader.readOn("supervisor"));
    if (read.ok) {
      announcer.announce(read.value);
      budgetCall.look(read.value, ports.clock.nowMs());
      const facts = sessionFacts(read.value, ports.clock.nowMs());
      this.#facts = noInput ? facts : { ...facts, asks: undefined };
    } else if (this.#facts === NO_FACTS) {
      throw new CannotGoOn(read.failure);
    } else {
      this.#facts = { ...this.#facts, damage: this.#parts.damage() };
      const text = unreadableWords(read.failure);
      if (this.#isReadable) journal.append({ kind: "note", time: journal.time(), text });
    }
    this.#isReadable = read.ok;
    return read.ok;
  }

  #noteEnds(holders: PerRole<RoleHolder | undefined>): void {
    const { journal, timing } = this.#parts;
    for (const { role, end } of this.#ends) {
      const cause = causeOfEnd(end, this.#facts, holders[role] !== undefined);
      const history = this.#memory.noteEnd(role, end, cause, timing);
      this.#sawRewritten ||= cause === "branch-rewritten";
      const code = end.how.kind === "exited" ? end.how.code : undefined;
      const reason = exitWords(end, cause, history);
      this.#explanations.set(role, end.explanation);
      journal.append({ kind: "role.exit", time: journal.time(), role, code, reason });
    }
    this.#ends = [];
  }

  #act({ kind, role }: SupervisorAction): void {
    const process = this.#parts.processes[role];
    switch (kind) {
      case "start":
        this.#start(role);
        break;
      case "fail":
        this.#giveUp(role);
        break;
      case "lift":
        this.#memory.forget(role);
        this.#lift(role, process.holder?.pid ?? 0);
        break;
      case "terminate":
        process.terminate();
        break;
      case "kill":
        process.kill();
        break;
    }
  }

  #start(role: Role): void {
    const { journal, processes } = this.#parts;
    this.#memory.noteStart(role, this.#facts.over !== undefined);
    const started = processes[role].start();
    if (!started.ok) return;
    journal.append({ kind: "role.spawn", time: journal.time(), role, pid: started.value });
    if (this.#facts.failed.has(role)) this.#lift(role, started.value);
  }

  #giveUp(role: Role): void {
    const { journal, timing } = this.#parts;
    const reason = crashLoopWords(role, this.#explanations.get(role), timing);
    journal.append({ kind: "role.failed", time: journal.time(), role, reason });
  }

  #lift(role: Role, pid: number): void {
    const { journal } = this.#parts;
    journal.append({ kind: "lease", time: journal.time(), role, pid });
  }

  /**
   * Ends the supervision. The files are read once more after the lease is released: a command that appended to
   * human.log while it was held has seen a supervisor, and relies on it.
   */
  async #finish(cause: FinishCause): Promise<void> {
    const { journal, ports, home, announcer, budgetCall } = this.#parts;
    const [code, reason] = [FINISH_CODE[cause], finishWords(cause, this.#facts)];
    await announcer.settled();
    await budgetCall.settled();
    const killed = await sweepRoles(ports, home, this.#memory.endedOtherwise());
    if (killed > 0) {
      const text = `${killed} processes that engines had left were killed; none is left`;
      journal.append({ kind: "note", time: journal.time(), text });
    }
    journal.append({ kind: "supervisor.end", time: journal.time(), code, reason });
    if (cause !== "signal") await releaseStaleLocks(ports, home);
    await this.#lease.release();
    const lease = (await this.#mustContinue(cause)) ? await this.#retakeLease() : undefined;
    if (lease === undefined) this.#exitCode = code;
    else this.#begin(lease);
  }

  /** Whether the cause of the end no longer holds. */
  async #mustContinue(cause: FinishCause): Promise<boolean> {
    const { reader, ports } = this.#parts;
    if (["signal", "builder-failed", "branch-rewritten"].includes(cause)) return false;
    const read = await reader.read();
    if (!read.ok) return false;
    const { over, asks } = sessionFacts(read.value, ports.clock.nowMs());
    return over === undefined && (cause !== "input-needed" || asks === undefined);
  }

  /** Undefined if another supervisor was faster, which then continues. */
  async #retakeLease(): Promise<Lease | undefined> {
    const { locks } = this.#parts.ports;
    const taken = await locks.takeLease(leasePath(this.#parts.home, "supervisor"));
    if (!taken.ok) return undefined;
    if (!this.#parts.fence.check().ok) {
      await taken.value.release();
      return undefined;
    }
    this.#parts.forgetFiles();
    for (const role of ROLES) this.#parts.processes[role].takeOver();
    return taken.value;
  }
}
