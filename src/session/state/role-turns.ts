import type { z } from "zod";
import type { Role } from "../../base/role.ts";
import { addSpend, type SpendRow } from "../rules/spend-rows.ts";
import type { HoldCause, HoldEnd, turnRecords } from "../../fs-protocol/records/turn-records.ts";
import type { Tokens, TurnUsage } from "../../fs-protocol/records/turn-usage.ts";

type TurnRecord = z.infer<(typeof turnRecords)[number]>;
type RecordOf<K extends TurnRecord["kind"]> = Extract<TurnRecord, { readonly kind: K }>;

/** An engine session that a later turn may resume. */
export interface EngineSession {
  readonly engine: string;
  readonly session: string;
  /** When its last turn began, in ms since 1970. Absent: it is another session's. */
  readonly beganMs?: number | undefined;
}

/** A period in which an engine must not be asked. */
export interface EngineHold {
  readonly engine: string;
  /** The only model that it concerns, as turns asked for it; `asked` undefined: that of the engine's own choice. Absent: all. */
  readonly model?: { readonly asked: string | undefined } | undefined;
  readonly cause: HoldCause;
  /** In milliseconds since 1970, like `sinceMs`. Undefined: until a person ends the hold. */
  readonly untilMs: number | undefined;
  readonly sinceMs: number;
  /** Where the end of a limit is from; absent: not known, or no limit. */
  readonly end?: HoldEnd | undefined;
  /** Number of human.log records that had been read when the hold was recorded. */
  readonly human: number;
  /** A description for people. */
  readonly reason: string;
}

/** A turn that has begun and not ended. */
export interface RunningTurn {
  readonly unit: string;
  readonly part: string | undefined;
  readonly engine: string;
  readonly output: string;
  readonly resume: string | undefined;
}

/** How a turn ended, as its engine reported it. */
export interface TurnEnding {
  readonly engine: string;
  readonly outcome: RecordOf<"turn.end">["outcome"];
  /** Empty if the engine gave no reason. */
  readonly reason: string;
}

/** Calls that an engine's permissions refused in a turn. */
export interface TurnRefusals {
  readonly engine: string;
  /** Number of calls. */
  readonly denied: number;
  /** A description of the calls; empty if the engine did not report which. */
  readonly refused: string;
}

/** The latest ended turn of a role. */
export interface LastTurn {
  readonly unit: string;
  readonly outcome: RecordOf<"turn.end">["outcome"];
  readonly refusals: TurnRefusals | undefined;
}

/** Units whose sessions and endings are remembered: only the newest ones ever start again. */
const SESSIONS_MAX = 500;
/** Number of latest turns of a unit whose endings are remembered. */
const ENDINGS_MAX = 3;

interface AttemptRefusals {
  readonly attempt: number;
  readonly byPart: ReadonlyMap<string | undefined, TurnRefusals>;
}

type Causes = ReadonlySet<string | undefined>;

/** Failures that say nothing about the work of the unit. */
const NOT_ABOUT_WORK: Causes = new Set(["auth", "limited", "overloaded", "network", "no-session"]);

/** After these, a session is not resumed. After `unseen`, it has an answer about a change that the engine never read. */
const SESSION_UNUSABLE: Causes = new Set(["no-session", "context-too-long", "unseen"]);

/** How turns end that have an answer. */
const ANSWERS: ReadonlySet<string> = new Set(["ended", "needs-input", "blocked"]);

interface Running extends RunningTurn {
  readonly attempt: number;
  /** As `SpendRow` has it. */
  readonly spentOn: string;
  readonly milestone: string | undefined;
  readonly beganMs: number;
}

/** What was collected of a role's turns, as plain data. */
export interface CollectedTurns {
  /** By `sessionKey`: the newest one of each engine, newest first. */
  readonly sessions: Map<string, readonly EngineSession[]>;
  /** By `sessionKey`, oldest first. */
  readonly endings: Map<string, readonly TurnEnding[]>;
  /** Usage that the engine had reported, by engine and session. */
  readonly reported: Map<string, TurnUsage>;
  /** The newest hold on each engine, and on each of its models. */
  readonly holds: Map<string, EngineHold>;
  /** Refusals in the last attempt at each unit, by part. */
  readonly refusals: Map<string, AttemptRefusals>;
  last: LastTurn | undefined;
  /** Number of holds because of a limit whose end is a guess, per engine, since it last ended a turn successfully. */
  readonly limits: Map<string, number>;
  /**
   * Number of holds in a row, per engine, that were recognized by nothing but words, since any engine of the role had
   * an answer. Holds of turns at the same time count as one.
   */
  readonly wordHolds: Map<string, number>;
  readonly rows: Map<string, SpendRow>;
  /** By path of the output. */
  readonly running: Map<string, Running>;
}

function noTurns(): CollectedTurns {
  return {
    ...{ sessions: new Map(), endings: new Map(), reported: new Map(), holds: new Map() },
    ...{
      refusals: new Map(),
      limits: new Map(),
      wordHolds: new Map(),
      rows: new Map(),
      running: new Map(),
    },
    last: undefined,
  };
}

/** The turns of one role, collected from its log; memory stays bounded however long the log is. */
export class RoleTurns {
  readonly collected: CollectedTurns;
  readonly #role: Role;

  /** @param collected what was collected from the beginning of the log, if it is not read again */
  constructor(role: Role, collected: CollectedTurns = noTurns()) {
    this.#role = role;
    this.collected = collected;
  }

  get running(): readonly RunningTurn[] {
    return [...this.collected.running.values()];
  }

  /** Applies a record of the role's log; records of other kinds are ignored. */
  apply(record: TurnRecord | { readonly kind: string }): void {
    if (isTurnRecord(record)) this.#apply(record);
  }

  /** Returns the usage so far. A turn that has not ended counts as one of unknown cost. */
  rows(): readonly SpendRow[] {
    if (this.collected.running.size === 0) return [...this.collected.rows.values()];
    const rows = new Map(this.collected.rows);
    for (const running of this.collected.running.values())
      addSpend(rows, unknownTurn(this.#role, running));
    return [...rows.values()];
  }

  #apply(record: TurnRecord): void {
    switch (record.kind) {
      case "turn.begin":
        this.collected.running.set(record.output, begun(record));
        return;
      case "turn.end":
        this.#end(record);
        return;
      case "limited":
        this.#hold(record);
    }
  }

  #hold(record: RecordOf<"limited">): void {
    const { engine, cause, time, until, end, evidence, human, reason } = record;
    const of = record.of === "model" ? { model: { asked: record.model } } : {};
    const key = JSON.stringify([engine, of]);
    const { holds, limits, wordHolds } = this.collected;
    const sinceMs = Date.parse(time);
    if (cause === "limited" && end !== "said") limits.set(engine, (limits.get(engine) ?? 0) + 1);
    const before = holds.get(key);
    const isSame = before?.human === human && (before.untilMs ?? Infinity) > sinceMs;
    if (evidence !== "words") wordHolds.delete(engine);
    else if (!isSame) wordHolds.set(engine, (wordHolds.get(engine) ?? 0) + 1);
    const untilMs = until === undefined ? undefined : Date.parse(until);
    holds.set(key, { engine, ...of, cause, untilMs, sinceMs, end, human, reason });
  }

  /**
   * Records the refusals of a turn. If the same part of the same attempt was asked before, earlier
   * ones stay unless this turn has new ones: the answer that counts may lack what was refused then.
   */
  #refused({ unit, part, attempt, engine }: Running, record: RecordOf<"turn.end">): void {
    const { outcome, denied = 0, refused = "" } = record;
    const refusals = denied === 0 ? undefined : { engine, denied, refused };
    this.collected.last = { unit, outcome, refusals };
    const before = this.collected.refusals.get(unit);
    const byPart = new Map(before?.attempt === attempt ? before.byPart : []);
    if (refusals !== undefined) byPart.set(part, refusals);
    keep(this.collected.refusals, unit, { attempt, byPart });
  }

  #end(record: RecordOf<"turn.end">): void {
    const running = this.collected.running.get(record.output);
    if (running === undefined) return;
    this.collected.running.delete(record.output);
    const { engine } = running;
    if (record.outcome === "ended") this.collected.limits.delete(engine);
    if (ANSWERS.has(record.outcome)) this.collected.wordHolds.clear();
    this.#refused(running, record);
    const unit = sessionKey(running.unit, running.part);
    addSpend(this.collected.rows, endedTurn(this.#role, running, record));
    if (!NOT_ABOUT_WORK.has(record.failure)) {
      const { outcome, reason = "" } = record;
      const before = this.collected.endings.get(unit) ?? [];
      keep(
        this.collected.endings,
        unit,
        [...before, { engine, outcome, reason }].slice(-ENDINGS_MAX),
      );
    }
    if (record.session === undefined) return;
    const others = (this.collected.sessions.get(unit) ?? []).filter((one) => one.engine !== engine);
    if (SESSION_UNUSABLE.has(record.failure)) {
      this.collected.sessions.set(unit, others);
      return;
    }
    const { session, reported } = record;
    const own = { engine, session, beganMs: running.beganMs };
    keep(this.collected.sessions, unit, [own, ...others]);
    if (reported !== undefined) keep(this.collected.reported, `${engine} ${session}`, reported);
  }
}

/** Returns the key under which the session of a unit, or of a part of it, is remembered. */
export function sessionKey(unit: string, part: string | undefined): string {
  return part === undefined ? unit : `${unit} ${part}`;
}

function isTurnRecord(record: TurnRecord | { readonly kind: string }): record is TurnRecord {
  return record.kind === "turn.begin" || record.kind === "turn.end" || record.kind === "limited";
}

function begun(record: RecordOf<"turn.begin">): Running {
  const { unit, part, attempt, engine, output, resume, m, time } = record;
  const own = { unit, part, attempt, engine, output, resume };
  return { ...own, spentOn: spentOn(record), milestone: m, beganMs: Date.parse(time) };
}

/** A build without `stalled` is the first attempt since there was progress, or was recorded before that was. */
function spentOn({ purpose, attempt, stalled = 0 }: RecordOf<"turn.begin">): string {
  return `${purpose} ${String(purpose === "build" ? stalled + 1 : attempt)}`;
}

const NO_TOKENS: Tokens = { input: 0, output: 0, cached: 0 };

function unknownTurn(role: Role, { milestone, engine, spentOn }: Running): SpendRow {
  const unknown = { turns: 1, unpriced: 1, uncounted: 1, tooLow: 0, costUsd: 0, tokens: NO_TOKENS };
  const of = { role, milestone, engine, model: undefined, attempt: spentOn };
  return { ...of, ...unknown, durationMs: 0 };
}

/** An older wisp subtracted the tokens of agents for ACP as if they were those of the conversation; they are of the turn. */
function isTooLow({ engine, resume }: Running, { reported }: RecordOf<"turn.end">): boolean {
  return engine === "acp" && resume !== undefined && reported?.tokensBasis === "session";
}

function endedTurn(role: Role, running: Running, record: RecordOf<"turn.end">): SpendRow {
  const { milestone, engine, spentOn, beganMs } = running;
  const { time, model, cost, tokens } = record;
  return {
    role,
    milestone,
    engine,
    model,
    attempt: spentOn,
    turns: 1,
    unpriced: cost === undefined ? 1 : 0,
    uncounted: tokens === undefined ? 1 : 0,
    tooLow: tokens !== undefined && isTooLow(running, record) ? 1 : 0,
    costUsd: cost ?? 0,
    tokens: tokens ?? NO_TOKENS,
    // If the clock was set back, the difference would be negative.
    durationMs: Math.max(0, Date.parse(time) - beganMs),
  };
}

function keep<V>(map: Map<string, V>, key: string, value: V): void {
  map.delete(key);
  map.set(key, value);
  const [oldest] = map.keys();
  if (map.size > SESSIONS_MAX && oldest !== undefined) map.delete(oldest);
}
