import { perRole, type PerRole, type Role } from "../../base/role.ts";
import type { LogRecord } from "../../fs-protocol/home/logs.ts";
import { decodeUnit, encodeUnit, type Unit } from "../../fs-protocol/records/unit-key.ts";
import { spanIdOf, traceIdOf, type SessionSpan, type TracedSession } from "./otlp-span.ts";
import { roleEventOf, unitEndOf } from "./span-facts.ts";
import { beganTurn, endedTurn, type OpenTurn } from "./turn-span.ts";
import type { SpanEvent } from "./otlp-span.ts";

/** A role's process: what its span is made from. */
export interface OpenRole {
  readonly pid: number;
  readonly fromMs: number;
}

interface OpenUnit {
  readonly key: string;
  readonly fromMs: number;
  readonly parentId: string;
  readonly events: SpanEvent[];
}

interface Lane {
  role: OpenRole | undefined;
  unit: OpenUnit | undefined;
  readonly turns: Map<string, OpenTurn>;
}

/** How many events a span keeps. */
const EVENTS_MAX = 128;

/** What spans may say of texts that engines and people wrote. */
export type Clean = (text: string) => string;

/**
 * Makes the spans of a session's trace from its records, which are added in the order of each log: the session, in it
 * the processes of its roles, in those the units of work, and in those the turns of engines. The same records make the
 * same spans with the same ids, whoever adds them.
 */
export class SessionSpans {
  readonly traceId: string;
  readonly #session: TracedSession;
  readonly #rootId: string;
  readonly #clean: Clean;
  readonly #lanes: PerRole<Lane> = perRole(() => {
    return { role: undefined, unit: undefined, turns: new Map() };
  });

  constructor(session: TracedSession, clean: Clean) {
    this.#session = session;
    this.#clean = clean;
    this.traceId = traceIdOf(session);
    this.#rootId = this.#id("session");
  }

  /** Whether nothing of the role's is open but its process, so that its later records stand on their own. */
  isIdle(role: Role): boolean {
    const { unit, turns } = this.#lanes[role];
    return unit === undefined && turns.size === 0;
  }

  /** The process of a role that began in records that are not read again. */
  openRole(role: Role): OpenRole | undefined {
    return this.#lanes[role].role;
  }

  goOn(role: Role, open: OpenRole): void {
    this.#lanes[role].role = open;
  }

  /** Takes a record, and returns the spans that ended with it. */
  add(entry: LogRecord): readonly SessionSpan[] {
    const atMs = Date.parse(entry.record.time);
    if (entry.log === "supervisor") return this.#addSupervised(entry, atMs);
    return entry.log === "human" ? [] : this.#addOfRole(entry, atMs);
  }

  /** The session itself, up to now. */
  session(nowMs: number): SessionSpan {
    const { id, branch, base, createdAt } = this.#session;
    return {
      id: this.#rootId,
      parentId: undefined,
      name: "wisp session",
      kind: "internal",
      ...{ fromMs: Date.parse(createdAt), toMs: nowMs },
      attributes: {
        "wisp.session": this.#clean(id),
        "vcs.ref.head.name": this.#clean(branch),
        "vcs.ref.base.revision": base,
      },
      events: [],
      failure: undefined,
    };
  }

  #addSupervised({ record }: LogRecord<"supervisor">, atMs: number): readonly SessionSpan[] {
    if (record.kind !== "role.exit") return [];
    const open = this.#lanes[record.role].role;
    // The next process may be known already.
    if (open === undefined || open.fromMs > atMs) return [];
    return this.#endRole(record.role, atMs, record.code === 0 ? undefined : "exit");
  }

  #addOfRole(entry: LogRecord<Role>, atMs: number): readonly SessionSpan[] {
    const { log, record } = entry;
    const lane = this.#lanes[log];
    switch (record.kind) {
      case "role.start": {
        const ended = this.#endRole(log, atMs, "killed");
        lane.role = { pid: record.pid, fromMs: atMs };
        return ended;
      }
      case "role.end":
        return this.#endRole(log, atMs, undefined);
      case "unit.begin":
        return this.#beginUnit(log, record.unit, atMs);
      case "turn.begin":
        lane.turns.set(record.output, beganTurn(record, atMs));
        return [];
      case "turn.end": {
        const begun = lane.turns.get(record.output);
        lane.turns.delete(record.output);
        if (begun === undefined) return [];
        const parentId = this.#unitId(log, record.unit);
        const id = this.#id("turn", log, record.output);
        return [endedTurn({ begun, record, id, parentId, toMs: atMs }, this.#clean)];
      }
      default:
        return this.#addToUnit(entry, atMs);
    }
  }

  #addToUnit({ log, record }: LogRecord<Role>, atMs: number): readonly SessionSpan[] {
    const { unit } = this.#lanes[log];
    const end = unitEndOf(record);
    if (end !== undefined) {
      return unit?.key === end.unit ? this.#endUnit(log, atMs, end) : [];
    }
    const event = roleEventOf(record, atMs);
    if (event !== undefined && unit !== undefined && unit.events.length < EVENTS_MAX) {
      unit.events.push(event);
    }
    return [];
  }

  #beginUnit(role: Role, key: string, fromMs: number): readonly SessionSpan[] {
    const lane = this.#lanes[role];
    // A process that continues a unit begins it again.
    if (lane.unit?.key === key) return [];
    const left = this.#endUnit(role, fromMs, { outcome: undefined, failure: "interrupted" });
    lane.unit = { key, fromMs, parentId: this.#roleId(role), events: [] };
    return left;
  }

  #endUnit(
    role: Role,
    toMs: number,
    {
      outcome,
      failure,
    }: { readonly outcome: string | undefined; readonly failure: string | undefined },
  ): readonly SessionSpan[] {
    const lane = this.#lanes[role];
    const { unit } = lane;
    if (unit === undefined) return [];
    lane.unit = undefined;
    const facts = this.#cleaned(decodeUnit(unit.key));
    return [
      {
        id: this.#unitId(role, unit.key),
        parentId: unit.parentId,
        name: facts?.kind ?? "unit",
        kind: "internal",
        ...{ fromMs: unit.fromMs, toMs, events: unit.events, failure },
        attributes: {
          "wisp.role": role,
          "wisp.unit": facts && encodeUnit(facts),
          "wisp.milestone":
            facts !== undefined && "milestone" in facts ? facts.milestone : undefined,
          "wisp.outcome": outcome,
        },
      },
    ];
  }

  /** Its name is in the key, where it is encoded and could not be cleaned. */
  #cleaned(unit: Unit | undefined): Unit | undefined {
    if (unit === undefined || !("milestone" in unit)) return unit;
    return { ...unit, milestone: this.#clean(unit.milestone) };
  }

  #endRole(role: Role, toMs: number, failure: string | undefined): readonly SessionSpan[] {
    const lane = this.#lanes[role];
    const open = lane.role;
    if (open === undefined) return [];
    const id = this.#roleId(role);
    lane.role = undefined;
    return [
      {
        ...{ id, parentId: this.#rootId, name: role, kind: "internal" },
        ...{ fromMs: open.fromMs, toMs, events: [], failure },
        attributes: { "wisp.role": role, "process.pid": open.pid },
      },
    ];
  }

  #unitId(role: Role, key: string): string {
    return this.#id("unit", role, key);
  }

  /** If no start of its process is on record: the session's. */
  #roleId(role: Role): string {
    const open = this.#lanes[role].role;
    if (open === undefined) return this.#rootId;
    return this.#id("role", role, String(open.pid), String(open.fromMs));
  }

  #id(...names: readonly string[]): string {
    return spanIdOf(this.traceId, ...names);
  }
}
