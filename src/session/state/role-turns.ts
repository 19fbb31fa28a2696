import type { z } from "zod";
import type { Role } from "../../base/role.ts";
import type { HoldCause, turnRecords } from "../../fs-protocol/records/turn-records.ts";
import type { Tokens, TurnUsage } from "../../fs-protocol/records/turn-usage.ts";

type TurnRecord = z.infer<(typeof turnRecords)[number]>;
type RecordOf<K extends TurnRecord["kind"]> = Extract<TurnRecord, { readonly kind: K }>;

/** A session of an engine that a later turn may go on with. */
export interface EngineSession {
  readonly engine: string;
  readonly session: string;
}

/** For how long an engine is not to be asked. */
export interface EngineHold {
  readonly cause: HoldCause;
  /** In milliseconds since 1970, as the next. Undefined: until a person says that it may go on. */
  readonly untilMs: number | undefined;
  readonly sinceMs: number;
  /** Records of human.log that had been read when it was written. */
  readonly human: number;
  /** In words, for people. */
  readonly reason: string;
}

/** A turn that was begun and has no end yet. */
export interface RunningTurn {
  readonly unit: string;
  readonly part: string | undefined;
  readonly engine: string;
  readonly output: string;
  readonly resume: string | undefined;
}

/** How a turn ended, in the words of its engine. */
export interface TurnEnding {
  readonly engine: string;
  readonly outcome: RecordOf<"turn.end">["outcome"];
  /** "": it said nothing. */
  readonly reason: string;
}

/** What the permissions of an engine refused in a turn. */
export interface TurnRefusals {
  readonly engine: string;
  /** How many calls. */
  readonly denied: number;
  /** Which, in words; "" where that is not told. */
  readonly refused: string;
}

/** The last turn of a role that has ended. */
export interface LastTurn {
  readonly unit: string;
  readonly outcome: RecordOf<"turn.end">["outcome"];
  readonly refusals: TurnRefusals | undefined;
}

/** What the turns of one role, milestone, engine and model used. */
export interface SpendRow {
  readonly role: Role;
  /** Undefined: counted for no milestone. */
  readonly milestone: string | undefined;
  readonly engine: string;
  /** As the engine names it; undefined where it does not. */
  readonly model: string | undefined;
  readonly turns: number;
  /** Turns whose cost, and whose tokens, are not known. */
  readonly unpriced: number;
  readonly uncounted: number;
  readonly costUsd: number;
  readonly tokens: Tokens;
  /** Of all turns that have ended, added up. */
  readonly durationMs: number;
}

/** Units whose sessions and words are kept in mind: only the newest are ever taken again. */
const SESSIONS_MAX = 500;
/** Of each unit so many of its last turns. */
const ENDINGS_MAX = 3;

interface AttemptRefusals {
  readonly attempt: number;
  readonly byPart: ReadonlyMap<string | undefined, TurnRefusals>;
}

/** A turn that ended so says nothing of the work. */
const NOT_ITS_FAULT: ReadonlySet<string | undefined> = new Set([
  "auth",
  "limited",
  "overloaded",
  "network",
  "no-session",
]);

/** A conversation in which nobody looked must not go on as if somebody had. */
const HAS_NO_USE: ReadonlySet<string | undefined> = new Set([
  "no-session",
  "context-too-long",
  "unseen",
]);

interface Running extends RunningTurn {
  readonly attempt: number;
  readonly milestone: string | undefined;
  readonly beganMs: number;
}

/** The turns of one role, as its log tells them; bounded, however long the log. */
export class RoleTurns {
  /** By `sessionKey`. */
  readonly sessions = new Map<string, EngineSession>();
  /** By `sessionKey`, oldest first. */
  readonly endings = new Map<string, readonly TurnEnding[]>();
  /** By engine and session. */
  readonly reported = new Map<string, TurnUsage>();
  /** The newest hold on each engine. */
  readonly holds = new Map<string, EngineHold>();
  /** Refusals of the last attempt at each unit, by part. */
  readonly refusals = new Map<string, AttemptRefusals>();
  last: LastTurn | undefined;
  /** Holds for a limit on each engine since it last ended a turn well. */
  readonly limits = new Map<string, number>();
  readonly #role: Role;
  readonly #rows = new Map<string, SpendRow>();
  /** By output. */
  readonly #running = new Map<string, Running>();

  constructor(role: Role) {
    this.#role = role;
  }

  get running(): readonly RunningTurn[] {
    return [...this.#running.values()];
  }

  /** One more record of the role's log; those of other kinds say nothing of turns. */
  apply(record: TurnRecord | { readonly kind: string }): void {
    if (isTurnRecord(record)) this.#apply(record);
  }

  /** What was used; a turn that has no end, or none yet, counts as one of unknown cost. */
  rows(): readonly SpendRow[] {
    if (this.#running.size === 0) return [...this.#rows.values()];
    const rows = new Map(this.#rows);
    for (const running of this.#running.values()) add(rows, unknownTurn(this.#role, running));
    return [...rows.values()];
  }

  #apply(record: TurnRecord): void {
    switch (record.kind) {
      case "turn.begin":
        this.#running.set(record.output, begun(record));
        return;
      case "turn.end":
        this.#end(record);
        return;
      case "limited":
        if (record.cause === "limited")
          this.limits.set(record.engine, (this.limits.get(record.engine) ?? 0) + 1);
        this.holds.set(record.engine, {
          cause: record.cause,
          untilMs: record.until === undefined ? undefined : Date.parse(record.until),
          sinceMs: Date.parse(record.time),
          human: record.human,
          reason: record.reason,
        });
    }
  }

  /** Of the ask before: what was refused there still was not seen by the answer that counts. */
  #refused({ unit, part, attempt, engine }: Running, record: RecordOf<"turn.end">): void {
    const { outcome, denied = 0, refused = "" } = record;
    const refusals = denied === 0 ? undefined : { engine, denied, refused };
    this.last = { unit, outcome, refusals };
    const before = this.refusals.get(unit);
    const byPart = new Map(before?.attempt === attempt ? before.byPart : []);
    if (refusals !== undefined) byPart.set(part, refusals);
    keep(this.refusals, unit, { attempt, byPart });
  }

  #end(record: RecordOf<"turn.end">): void {
    const running = this.#running.get(record.output);
    if (running === undefined) return;
    this.#running.delete(record.output);
    const { engine } = running;
    if (record.outcome === "ended") this.limits.delete(engine);
    this.#refused(running, record);
    const unit = sessionKey(running.unit, running.part);
    add(this.#rows, endedTurn(this.#role, running, record));
    if (!NOT_ITS_FAULT.has(record.failure)) {
      const { outcome, reason = "" } = record;
      const before = this.endings.get(unit) ?? [];
      keep(this.endings, unit, [...before, { engine, outcome, reason }].slice(-ENDINGS_MAX));
    }
    if (record.session === undefined) return;
    if (HAS_NO_USE.has(record.failure)) {
      this.sessions.delete(unit);
      return;
    }
    keep(this.sessions, unit, { engine, session: record.session });
    if (record.reported !== undefined)
      keep(this.reported, `${engine} ${record.session}`, record.reported);
  }
}

/** Under which the session of a unit, or of a part of it, is kept. */
export function sessionKey(unit: string, part: string | undefined): string {
  return part === undefined ? unit : `${unit} ${part}`;
}

function isTurnRecord(record: TurnRecord | { readonly kind: string }): record is TurnRecord {
  return record.kind === "turn.begin" || record.kind === "turn.end" || record.kind === "limited";
}

function begun(record: RecordOf<"turn.begin">): Running {
  const { unit, part, attempt, engine, output, resume, m, time } = record;
  return { unit, part, attempt, engine, output, resume, milestone: m, beganMs: Date.parse(time) };
}

const NO_TOKENS: Tokens = { input: 0, output: 0, cached: 0 };

function unknownTurn(role: Role, { milestone, engine }: Running): SpendRow {
  const unknown = { turns: 1, unpriced: 1, uncounted: 1, costUsd: 0, tokens: NO_TOKENS };
  return { role, milestone, engine, model: undefined, ...unknown, durationMs: 0 };
}

function endedTurn(
  role: Role,
  { milestone, engine, beganMs }: Running,
  { time, model, cost, tokens }: RecordOf<"turn.end">,
): SpendRow {
  return {
    role,
    milestone,
    engine,
    model,
    turns: 1,
    unpriced: cost === undefined ? 1 : 0,
    uncounted: tokens === undefined ? 1 : 0,
    costUsd: cost ?? 0,
    tokens: tokens ?? NO_TOKENS,
    // A clock that was set back makes no turn shorter than nothing.
    durationMs: Math.max(0, Date.parse(time) - beganMs),
  };
}

function add(rows: Map<string, SpendRow>, row: SpendRow): void {
  const key = JSON.stringify([row.milestone, row.engine, row.model]);
  const sum = rows.get(key);
  rows.set(key, sum === undefined ? row : { ...row, ...sumOf([sum, row]) });
}

/** What several rows come to. */
export function sumOf(
  rows: readonly SpendRow[],
): Omit<SpendRow, "role" | "milestone" | "engine" | "model"> {
  const total = (of: (row: SpendRow) => number) => rows.reduce((sum, row) => sum + of(row), 0);
  return {
    turns: total((row) => row.turns),
    unpriced: total((row) => row.unpriced),
    uncounted: total((row) => row.uncounted),
    costUsd: total((row) => row.costUsd),
    tokens: {
      input: total((row) => row.tokens.input),
      output: total((row) => row.tokens.output),
      cached: total((row) => row.tokens.cached),
    },
    durationMs: total((row) => row.durationMs),
  };
}

function keep<V>(map: Map<string, V>, key: string, value: V): void {
  map.delete(key);
  map.set(key, value);
  const [oldest] = map.keys();
  if (map.size > SESSIONS_MAX && oldest !== undefined) map.delete(oldest);
}
