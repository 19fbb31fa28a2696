import type { LogName, Role } from "../../base/role.ts";
import type { LogRecord, RecordOfLog } from "../../fs-protocol/home/logs.ts";
import type { Tokens } from "../../fs-protocol/records/turn-usage.ts";
import { count, sentence, type Tone } from "../../base/words/sentence.ts";
import { shortSha } from "../../workspace/session/describe-unit.ts";
import type { Speaker } from "../rows/row.ts";
import { renderRecord } from "../timeline/render-record.ts";
import { inTimeOrder } from "./in-time-order.ts";

/** A stretch of one lane's time. Times are in milliseconds since 1970. */
interface Stretch {
  readonly lane: Role;
  readonly fromMs: number;
  /** Absent while it lasts, and if it was cut off and nothing was recorded after it. */
  readonly toMs: number | undefined;
}

/** One run of an engine. */
export interface TurnSpan extends Stretch {
  readonly kind: "turn";
  /** `open`: no end is recorded; the turn is running, or its role was killed. */
  readonly outcome: "ended" | "needs-input" | "blocked" | "failed" | "stopped" | "open";
  /** Class of the failure, for `failed`. */
  readonly failure: string | undefined;
  readonly reason: string | undefined;
  readonly unit: string;
  readonly purpose: string;
  readonly attempt: number;
  readonly milestone: string | undefined;
  readonly engine: string;
  readonly model: string | undefined;
  /** US dollars; absent if the engine reported none. */
  readonly costUsd: number | undefined;
  readonly tokens: Tokens | undefined;
  /** Name of the files in `logs/turns` that hold its prompt and raw output. */
  readonly output: string;
}

/** A drain window: the builder waits for the other roles. */
export interface DrainSpan extends Stretch {
  readonly kind: "drain";
  readonly milestone: string;
  /** Absent while it is open. */
  readonly cause: "all" | "timeout" | "failed" | "final" | undefined;
}

/** No role may ask an engine: a limit, a login, an overload or the network. */
export interface HoldSpan extends Stretch {
  readonly kind: "hold";
  readonly engine: string;
  readonly cause: string;
  readonly reason: string;
}

export type TimelineSpan = TurnSpan | DrainSpan | HoldSpan;

/** Something that happened at one moment. */
export interface TimelineMark {
  readonly lane: Speaker;
  readonly atMs: number;
  readonly kind:
    "commits" | "crash" | "end" | "milestone" | "person" | "restart" | "retry" | "verify" | "wait";
  readonly tone: Tone;
  /** One cleaned line for people. */
  readonly text: string;
}

/** What happened in a session: spans in the order of each log, and marks in that of time. */
export interface Timeline {
  readonly spans: readonly TimelineSpan[];
  readonly marks: readonly TimelineMark[];
  /** Of all records; absent if there is none. */
  readonly fromMs: number | undefined;
  readonly toMs: number | undefined;
}

/** Gathers the timeline of a session from its records, which are added log by log, each in its order. */
export class TimelineReader {
  readonly #spans: TimelineSpan[] = [];
  readonly #marks: TimelineMark[] = [];
  readonly #openTurns = new Map<string, number>();
  readonly #started = new Set<Role>();
  /** The commits that each unit was last about to publish. */
  readonly #intents = new Map<string, readonly string[]>();
  #openDrain: number | undefined;
  #openHolds: number[] = [];
  #fromMs = Infinity;
  #toMs = -Infinity;

  get timeline(): Timeline {
    const isEmpty = this.#toMs < this.#fromMs;
    return {
      spans: this.#spans,
      marks: inTimeOrder(this.#marks, ({ text }) => text),
      fromMs: isEmpty ? undefined : this.#fromMs,
      toMs: isEmpty ? undefined : this.#toMs,
    };
  }

  add(entry: LogRecord): void {
    const atMs = Date.parse(entry.record.time);
    this.#fromMs = Math.min(this.#fromMs, atMs);
    this.#toMs = Math.max(this.#toMs, atMs);
    if (entry.log === "human") this.#mark(entry, "person", atMs, "you");
    else if (entry.log === "supervisor") this.#addSupervised(entry, atMs);
    else this.#addOfRole(entry, entry.log, atMs);
  }

  #addSupervised(entry: LogRecord<"supervisor">, atMs: number): void {
    const { record } = entry;
    if (record.kind === "role.exit" && record.code !== 0) {
      this.#mark(entry, "crash", atMs, record.role);
    }
    if (record.kind === "role.failed") this.#mark(entry, "crash", atMs, record.role);
    if (record.kind === "supervisor.end") this.#mark(entry, "end", atMs, "wisp");
  }

  #addOfRole(entry: LogRecord<Role>, lane: Role, atMs: number): void {
    const { record } = entry;
    switch (record.kind) {
      case "role.start":
        if (this.#started.has(lane)) this.#mark(entry, "restart", atMs, lane);
        this.#started.add(lane);
        break;
      case "turn.begin":
        this.#beginTurn(record, lane, atMs);
        break;
      case "turn.end":
        this.#endTurn(record, atMs);
        break;
      case "limited":
        this.#hold(record, lane, atMs);
        break;
      case "attempt.failed":
        this.#mark(entry, "retry", atMs, lane);
        break;
      case "unit.wait":
        this.#mark(entry, "wait", atMs, lane);
        break;
      default:
        this.#addOfBuilder(entry, lane, atMs);
    }
  }

  #addOfBuilder(entry: LogRecord<Role>, lane: Role, atMs: number): void {
    const { record } = entry;
    switch (record.kind) {
      case "push.intent":
        this.#intents.set(record.unit, record.shas);
        break;
      case "push.done":
        this.#markCommits(this.#intents.get(record.unit) ?? [record.sha], lane, atMs);
        break;
      case "fix.end":
        // A fix is recorded with its commits, without a push of its own.
        if (record.sha === undefined) break;
        this.#markCommits(this.#intents.get(record.unit) ?? [record.sha], lane, atMs);
        break;
      case "verify.result":
        this.#mark(entry, "verify", atMs, lane);
        break;
      case "build.end":
        if (record.outcome !== "milestone") break;
        this.#mark(entry, "milestone", atMs, lane);
        this.#openDrain = this.#spans.push({
          kind: "drain",
          lane,
          fromMs: atMs,
          toMs: undefined,
          milestone: record.m,
          cause: undefined,
        });
        break;
      case "drain.close":
        this.#closeDrain(record.cause, atMs);
        break;
      case "halt":
      case "done":
      case "reopen":
        this.#mark(entry, "end", atMs, lane);
        break;
      default:
        break;
    }
  }

  #beginTurn(record: RecordOf<"turn.begin">, lane: Role, atMs: number): void {
    for (const at of this.#openHolds) this.#close(at, atMs);
    this.#openHolds = [];
    const { unit, purpose, attempt, engine, m: milestone, output } = record;
    const length = this.#spans.push({
      kind: "turn",
      lane,
      fromMs: atMs,
      toMs: undefined,
      outcome: "open",
      failure: undefined,
      reason: undefined,
      ...{ unit, purpose, attempt, engine, milestone, output },
      model: undefined,
      costUsd: undefined,
      tokens: undefined,
    });
    this.#openTurns.set(output, length - 1);
  }

  #endTurn(record: RecordOf<"turn.end">, atMs: number): void {
    const { output, outcome, failure, reason, model, cost: costUsd, tokens } = record;
    const at = this.#openTurns.get(output);
    const begun = at === undefined ? undefined : this.#spans[at];
    if (at === undefined || begun?.kind !== "turn") return;
    this.#openTurns.delete(output);
    this.#spans[at] = { ...begun, toMs: atMs, outcome, failure, reason, model, costUsd, tokens };
  }

  #hold({ engine, cause, until, reason }: RecordOf<"limited">, lane: Role, atMs: number): void {
    const toMs = until === undefined ? undefined : Date.parse(until);
    const length = this.#spans.push({
      kind: "hold",
      lane,
      fromMs: atMs,
      toMs,
      engine,
      cause,
      reason,
    });
    if (toMs === undefined) this.#openHolds.push(length - 1);
  }

  #closeDrain(cause: DrainSpan["cause"], atMs: number): void {
    const at = (this.#openDrain ?? 0) - 1;
    const open = this.#spans[at];
    if (open?.kind === "drain") this.#spans[at] = { ...open, toMs: atMs, cause };
    this.#openDrain = undefined;
  }

  #close(at: number, atMs: number): void {
    const open = this.#spans[at];
    if (open !== undefined) this.#spans[at] = { ...open, toMs: atMs };
  }

  #markCommits(shas: readonly string[], lane: Role, atMs: number): void {
    const named = shas.map(shortSha).join(", ");
    const text = `published ${count(shas.length, "commit")}: ${named}`;
    this.#marks.push({ lane, atMs, kind: "commits", ...sentence("plain", text) });
  }

  #mark(entry: LogRecord, kind: TimelineMark["kind"], atMs: number, lane: Speaker): void {
    const said = renderRecord(entry);
    if (said !== undefined) this.#marks.push({ lane, atMs, kind, ...said });
  }
}

type RecordOf<K extends string> = Extract<RecordOfLog<Exclude<LogName, "human">>, { kind: K }>;
