import { ROLES, type Role } from "../../../src/base/role.ts";
import {
  decide,
  type SupervisorAction,
  type RoleHolder,
} from "../../../src/agents/supervisor/decide.ts";
import {
  afterEnd,
  causeOfEnd,
  FRESH,
  startedForFiles,
  type ProcessEnd,
  type RestartHistory,
} from "../../../src/agents/supervisor/restart-history.ts";
import { perRole } from "../../../src/base/role.ts";
import type { SessionFacts } from "../../../src/agents/supervisor/session-facts.ts";
import { DEFAULT_TIMING } from "../../../src/agents/supervisor/timing.ts";

/** How long a process runs and how it ends; `undefined` runs until it is signalled. */
export interface Life {
  readonly ranMs: number;
  readonly code: number;
}

export interface Script {
  /** The n-th process of a role, from 1. */
  readonly life: (role: Role, n: number) => Life | undefined;
  /** How long after TERM a process ends; a stubborn one never does. */
  readonly leavesAfterMs?: (role: Role) => number;
  /** Events of the world, by time. */
  readonly events?: readonly { readonly atMs: number; readonly happen: (world: World) => void }[];
  readonly untilMs: number;
}

const RUNNING: SessionFacts = {
  over: undefined,
  isRewritten: false,
  damage: undefined,
  asks: undefined,
  failed: new Map(),
  restarts: new Map(),
  hasWork: () => true,
};

interface Process {
  holder: RoleHolder;
  sinceMs: number;
  endsMs: number;
  code: number;
}

/** A session, its processes and its supervisor's memory, in virtual time. */
export class World {
  nowMs = 0;
  readonly beganMs = 0;
  session: SessionFacts = RUNNING;
  signals = 0;
  sawRewritten = false;
  readonly trace: string[] = [];
  readonly processes = new Map<Role, Process>();
  readonly histories = new Map<Role, RestartHistory>();
  readonly started = new Map<Role, number>();
  /** Roles whose lease's holder a person asked to end. */
  readonly toRestart = new Set<Role>();

  readonly #script: Script;

  constructor(script: Script) {
    this.#script = script;
  }

  /** A foreign process holds the lease until it is taken from it. */
  hold(role: Role, whose: "inherited" | "by-hand"): void {
    const holder = { whose, pid: 1, askedMs: undefined, isKilled: false };
    this.processes.set(role, { holder, sinceMs: this.nowMs, endsMs: Infinity, code: 0 });
  }

  /** A process of the role ends now. */
  end(role: Role): void {
    const process = this.processes.get(role);
    if (process === undefined) return;
    this.processes.delete(role);
    this.toRestart.delete(role);
    const { holder, sinceMs, code } = process;
    const end: ProcessEnd = {
      how: holder.whose === "child" ? { kind: "exited", code } : { kind: "left" },
      atMs: this.nowMs,
      ranMs: this.nowMs - sinceMs,
      wasAsked: holder.askedMs !== undefined,
    };
    const cause = causeOfEnd(end, this.session, this.processes.has(role));
    const history = this.histories.get(role) ?? FRESH;
    this.histories.set(role, afterEnd(history, end, cause, DEFAULT_TIMING));
    this.sawRewritten ||= cause === "branch-rewritten";
    this.say(`${role} ended: ${cause}`);
  }

  say(what: string): void {
    this.trace.push(`${this.nowMs} ${what}`);
  }

  act({ kind, role }: SupervisorAction): void {
    this.say(`${kind} ${role}`);
    const { failed } = this.session;
    const process = this.processes.get(role);
    if (kind === "start") this.#start(role);
    if (kind === "fail") {
      this.session = { ...this.session, failed: new Map(failed).set(role, "crash loop") };
    }
    if (kind === "lift") {
      this.session = {
        ...this.session,
        failed: new Map([...failed].filter(([other]) => other !== role)),
      };
      this.histories.delete(role);
    }
    if (process === undefined) return;
    if (kind === "terminate") {
      process.holder = { ...process.holder, askedMs: this.nowMs };
      process.endsMs = this.nowMs + (this.#script.leavesAfterMs?.(role) ?? 0);
    }
    if (kind === "kill") {
      process.holder = { ...process.holder, askedMs: this.nowMs, isKilled: true };
      process.endsMs = this.nowMs;
    }
  }

  #start(role: Role): void {
    const n = (this.started.get(role) ?? 0) + 1;
    this.started.set(role, n);
    if (this.session.over !== undefined) {
      this.histories.set(role, startedForFiles(this.histories.get(role) ?? FRESH));
    }
    const life = this.#script.life(role, n);
    const holder = { whose: "child", pid: n, askedMs: undefined, isKilled: false } as const;
    const endsMs = this.nowMs + (life?.ranMs ?? Infinity);
    this.processes.set(role, { holder, sinceMs: this.nowMs, endsMs, code: life?.code ?? 0 });
  }
}

/** Runs a supervisor with the script; returns why it finished, if it did, and the trace. */
export function supervise(script: Script): { cause: string | undefined; trace: string[] } {
  const world = new World(script);
  const events = [...(script.events ?? [])];
  for (let step = 0; step < 100_000; step++) {
    while (events[0] !== undefined && events[0].atMs <= world.nowMs) {
      events.shift()?.happen(world);
    }
    for (const [role, { endsMs }] of [...world.processes]) {
      if (endsMs <= world.nowMs) world.end(role);
    }
    const decision = decide(viewOf(world), DEFAULT_TIMING);
    if (decision.kind === "finish") {
      world.say(`finish ${decision.cause}`);
      return { cause: decision.cause, trace: world.trace };
    }
    if (decision.kind === "act") {
      for (const action of decision.actions) world.act(action);
      continue;
    }
    const times = [...world.processes.values()].map(({ endsMs }) => endsMs);
    const nextMs = Math.min(decision.untilMs ?? Infinity, events[0]?.atMs ?? Infinity, ...times);
    if (nextMs > script.untilMs) return { cause: undefined, trace: world.trace };
    world.nowMs = Math.max(nextMs, world.nowMs);
  }
  throw new Error("the supervisor does not come to rest");
}

function viewOf(world: World) {
  const { nowMs, beganMs, session, signals, sawRewritten } = world;
  const roles = perRole((role) => ({
    holder: world.processes.get(role)?.holder,
    history: world.histories.get(role) ?? FRESH,
    isToRestart: world.toRestart.has(role),
  }));
  return { nowMs, beganMs, session, signals, sawRewritten, roles };
}

/** The times, in ms, of a line of the trace. */
export function timesOf(trace: readonly string[], what: string): readonly number[] {
  return trace.filter((line) => line.endsWith(` ${what}`)).map((line) => Number.parseInt(line, 10));
}

/** A world in which all roles but this one run until they are signalled. */
export function only(role: Role, life: (n: number) => Life | undefined): Script["life"] {
  return (other, n) => (other === role ? life(n) : undefined);
}

export const FOUR_STARTS = ROLES.map((role) => `0 start ${role}`);
