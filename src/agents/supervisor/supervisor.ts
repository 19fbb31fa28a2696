import { CannotGoOn } from "../../base/fatal.ts";
import type { Lease } from "../../base/ports/locks.ts";
import { perRole, ROLES, type PerRole, type Role } from "../../base/role.ts";
import { leasePath, type Home } from "../../fs-protocol/home/home.ts";
import type { SessionReader } from "../../session/state/session-reader.ts";
import type { SupervisorRecord } from "../../fs-protocol/records/supervisor-log.ts";
import { waitFor, type Exit, type Wait } from "../../session/steps/step.ts";
import { giveBackLocks } from "../work/give-back-locks.ts";
import type { Journal } from "../work/journal.ts";
import type { Ports } from "../work/role-context.ts";
import type { SharedFiles } from "../home/shared-files.ts";
import {
  decide,
  FINISH_CODE,
  type SupervisorAction,
  type Decision,
  type FinishCause,
  type RoleHolder,
  type SupervisorView,
} from "./decide.ts";
import type { Announcer } from "./announcer.ts";
import { causeOfEnd, type ProcessEnd } from "./restart-history.ts";
import { lookAtShared } from "./look-at-shared.ts";
import { RoleMemory } from "./role-memory.ts";
import type { RoleProcess } from "./role-process.ts";
import { NOTHING_KNOWN, sessionFacts } from "./session-facts.ts";
import {
  exitWords,
  crashLoopWords,
  finishWords,
  stoppingWords,
  unreadableWords,
} from "./supervisor-words.ts";
import { sweepRoles } from "./sweep-roles.ts";
import { LOOKS_AFTER_HINT, type Timing } from "./timing.ts";

/** What a supervisor does, as opposed to waiting and ending. */
export type SupervisorWork = Exclude<Decision, { readonly kind: "wait" }>;

export interface SupervisorParts {
  readonly ports: Ports;
  readonly home: Home;
  readonly reader: SessionReader;
  readonly journal: Journal<SupervisorRecord>;
  /** What people say, which many write. */
  readonly shared: SharedFiles;
  /** Called when the lease was somebody else's: they may have written to what else is ours alone. */
  readonly forgetFiles: () => void;
  readonly processes: PerRole<RoleProcess>;
  readonly announcer: Announcer;
  /** Nobody can be asked: when everything waits for an answer, the session ends. */
  readonly noInput: boolean;
  readonly timing: Timing;
  /** Steady milliseconds. */
  readonly nowMs: () => number;
  readonly pid: number;
  /** Called when something happened that is to be looked at. */
  readonly changed: () => void;
}

const EXIT: Exit = { kind: "exit", reason: "done" };
/** The exit code of a supervisor that lost its lease: by now there may be another. */
const LEASE_LOST_CODE = 1;

/** A process that holds the supervisor's lease, and sees to it that the roles run. */
export class Supervisor {
  readonly #parts: SupervisorParts;
  #lease: Lease;
  #facts = NOTHING_KNOWN;
  #isReadable = true;
  #ends: { readonly role: Role; readonly end: ProcessEnd }[] = [];
  readonly #memory = new RoleMemory();
  #signals = 0;
  /** When all logs were last looked at, whatever was hinted: at the first look they are. */
  #sweptMs = -Infinity;
  #looksLeft = 0;
  #beganMs = 0;
  #sawRewritten = false;
  #exitCode: number | undefined;
  /** What the last process of a role said of why it ended. */
  readonly #said = new Map<Role, string | undefined>();

  constructor(parts: SupervisorParts, lease: Lease) {
    this.#parts = parts;
    this.#lease = lease;
    this.#begin(lease);
  }

  /** Set when the supervisor has ended. */
  get exitCode(): number | undefined {
    return this.#exitCode;
  }

  /** A signal asked to stop: the first gracefully, the second at once. */
  interrupt(): void {
    this.#signals += 1;
  }

  /** Leases may have changed hands. */
  leasesChanged(): void {
    this.#doubtLeases();
    this.#looksLeft = LOOKS_AFTER_HINT;
  }

  /** Whether there is something to look at that gives no hint. */
  isLookDue(): boolean {
    const { processes } = this.#parts;
    if (this.#isSweepDue) return true;
    if (this.#looksLeft > 0) {
      this.#looksLeft -= 1;
      this.#doubtLeases();
      return true;
    }
    return ROLES.some((role) => processes[role].isGone);
  }

  /** Looks at who has the leases, and at what was written, and decides. */
  async next(): Promise<SupervisorWork | Wait | Exit> {
    if (this.#exitCode !== undefined) return EXIT;
    const { processes, timing, nowMs } = this.#parts;
    // Processes before logs: what a role wrote before it left is then in view.
    await Promise.all(ROLES.map((role) => processes[role].look()));
    const holders = perRole((role) => processes[role].holder);
    for (const role of ROLES) {
      this.#ends.push(...processes[role].takeEnds().map((end) => ({ role, end })));
    }
    await lookAtShared(this.#parts);
    const isFresh = await this.#read();
    // Without a fresh view nothing is decided but to stop, which must always be possible.
    if (!isFresh && this.#signals === 0) return waitFor({ kind: "idle" });
    this.#noteEnds(holders);
    this.#memory.noteRestarts(this.#facts.restarts, holders);
    const view: SupervisorView = {
      nowMs: nowMs(),
      beganMs: this.#beganMs,
      session: this.#facts,
      signals: this.#signals,
      sawRewritten: this.#sawRewritten,
      roles: perRole((role) => this.#memory.viewOf(role, holders[role])),
    };
    const decision = decide(view, timing);
    return decision.kind === "wait" ? waitFor({ kind: "idle" }, decision.untilMs) : decision;
  }

  /** Does what was decided. */
  async perform(work: SupervisorWork): Promise<void> {
    if (work.kind === "finish") return this.#finish(work.cause);
    const { journal, processes, timing } = this.#parts;
    const holders = perRole((role) => processes[role].holder);
    for (const action of work.actions) this.#act(action);
    // Said afterwards: a full disk keeps nobody from being stopped.
    const text = stoppingWords(work.actions, holders, timing);
    if (text !== undefined) journal.append({ kind: "note", time: journal.time(), text });
  }

  #begin(lease: Lease): void {
    const { journal, pid, nowMs } = this.#parts;
    this.#lease = lease;
    this.#beganMs = nowMs();
    this.#memory.forget(...ROLES);
    this.#sawRewritten = false;
    this.#doubtLeases();
    journal.append({ kind: "supervisor.start", time: journal.time(), pid });
    void lease.lost.then(() => {
      // Somebody else may supervise by now: this one touches nothing any more.
      this.#exitCode ??= LEASE_LOST_CODE;
      this.#parts.changed();
    });
  }

  get #isSweepDue(): boolean {
    const { timing, nowMs } = this.#parts;
    return nowMs() - this.#sweptMs >= timing.sweepMs;
  }

  #doubtLeases(): void {
    for (const role of ROLES) this.#parts.processes[role].doubt();
  }

  /** Reads the session. Only the first failure is fatal: the roles live on, and so do we. */
  async #read(): Promise<boolean> {
    const { reader, ports, noInput, journal, announcer, nowMs } = this.#parts;
    // Of what a process wrote before it left the hint may still be on its way.
    const isWhole = this.#ends.length > 0 || this.#isSweepDue;
    if (isWhole) this.#sweptMs = nowMs();
    const read = await (isWhole ? reader.read() : reader.readOn("supervisor"));
    if (read.ok) {
      announcer.announce(read.value);
      const facts = sessionFacts(read.value, ports.clock.nowMs());
      this.#facts = noInput ? facts : { ...facts, asks: undefined };
    } else if (this.#facts === NOTHING_KNOWN) {
      throw new CannotGoOn(read.failure);
    } else if (this.#isReadable) {
      journal.append({ kind: "note", time: journal.time(), text: unreadableWords(read.failure) });
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
      this.#said.set(role, end.said);
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
    const reason = crashLoopWords(role, this.#said.get(role), timing);
    journal.append({ kind: "role.failed", time: journal.time(), role, reason });
  }

  #lift(role: Role, pid: number): void {
    const { journal } = this.#parts;
    journal.append({ kind: "lease", time: journal.time(), role, pid });
  }

  /**
   * Ends the supervision. After the lease is free the files are read once more: who appended to
   * human.log while it was still held has seen a supervisor and left it to us (coordination, R14).
   */
  async #finish(cause: FinishCause): Promise<void> {
    const { journal, ports, home, announcer } = this.#parts;
    const [code, reason] = [FINISH_CODE[cause], finishWords(cause, this.#facts)];
    await announcer.settled();
    const killed = await sweepRoles(ports, home);
    if (killed > 0) {
      const text = `${killed} processes that engines had left were killed; none is left`;
      journal.append({ kind: "note", time: journal.time(), text });
    }
    journal.append({ kind: "supervisor.end", time: journal.time(), code, reason });
    if (cause !== "signal") await giveBackLocks(ports, home);
    await this.#lease.release();
    const lease = (await this.#isToGoOn(cause)) ? await this.#takeAgain() : undefined;
    if (lease === undefined) this.#exitCode = code;
    else this.#begin(lease);
  }

  /** Whether what ended the supervision does not hold any more. */
  async #isToGoOn(cause: FinishCause): Promise<boolean> {
    const { reader, ports } = this.#parts;
    if (cause === "signal" || cause === "builder-failed" || cause === "branch-rewritten") {
      return false;
    }
    const read = await reader.read();
    if (!read.ok) return false;
    const { over, asks } = sessionFacts(read.value, ports.clock.nowMs());
    return over === undefined && (cause !== "input-needed" || asks === undefined);
  }

  /** Undefined when another supervisor was faster: then it is in good hands. */
  async #takeAgain(): Promise<Lease | undefined> {
    const { locks } = this.#parts.ports;
    const taken = await locks.takeLease(leasePath(this.#parts.home, "supervisor"));
    if (!taken.ok) return undefined;
    this.#parts.forgetFiles();
    for (const role of ROLES) this.#parts.processes[role].takeOver();
    return taken.value;
  }
}
