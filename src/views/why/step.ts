import type { LogName } from "../../base/role.ts";
import type { LogRecord } from "../../fs-protocol/home/logs.ts";
import type { Tokens } from "../../fs-protocol/records/turn-usage.ts";
import { renderRecord } from "../timeline/render-record.ts";
import type { Tone } from "../../base/words/sentence.ts";
import type { LoggedTurn } from "../timeline/turn-list.ts";
import type { Looked } from "../../workspace/finished/verified-at.ts";
import { turnsKey, type KnownSession } from "./known-session.ts";

/** A turn of an engine, as it is on record. Unknown facts are null. */
export interface TurnOnRecord {
  readonly engine: string;
  readonly model: string | null;
  readonly attempt: number;
  /** Which of several turns of one attempt. */
  readonly part: string | null;
  readonly begin: string;
  /** Null while it runs, and if its end is not on record. */
  readonly end: string | null;
  readonly outcome: "ended" | "needs-input" | "blocked" | "failed" | "stopped" | null;
  readonly tokens: Tokens | null;
  readonly costUsd: number | null;
  /** The existing files with its output, relative to the repository. */
  readonly files: readonly string[];
}

/** One thing that a role, the supervisor or a person recorded, with the turns that led to it. */
export interface RecordedStep {
  readonly time: string;
  readonly role: LogName;
  readonly kind: string;
  readonly unit: string | null;
  readonly text: string;
  readonly tone: Tone;
  readonly turns: readonly TurnOnRecord[];
  /** Of a run of verify; see `Looked`. */
  readonly looks?: Looked["looks"];
  readonly split?: Looked["split"];
}

/** A record as a step. */
export function stepOf(known: KnownSession, entry: LogRecord): RecordedStep {
  const { log, record } = entry;
  const unit = "unit" in record ? record.unit : undefined;
  const sentence = renderRecord(entry);
  const turns =
    unit === undefined || !record.kind.endsWith(".end") ? [] : turnsOf(known, log, unit);
  return {
    ...{ time: record.time, role: log, kind: record.kind, unit: unit ?? null },
    ...{ text: sentence?.text ?? record.kind, tone: sentence?.tone ?? "plain", turns },
    ...looksOf(record),
  };
}

function looksOf(record: LogRecord["record"]): Looked {
  if (record.kind !== "verify.result" && record.kind !== "command.result") return {};
  return { looks: record.looks, split: record.split };
}

/** The steps of the records that a condition holds for, by time. */
export function stepsWhere(
  known: KnownSession,
  holds: (entry: LogRecord) => boolean,
): readonly RecordedStep[] {
  return known.records.filter(holds).map((entry) => stepOf(known, entry));
}

/** The turns of a unit, oldest first. */
export function turnsOf(known: KnownSession, role: LogName, unit: string): readonly TurnOnRecord[] {
  const turns = known.turns.get(turnsKey(role, unit))?.values() ?? [];
  return [...turns].map((turn) => turnOnRecord(known, turn));
}

function turnOnRecord({ filesOf }: KnownSession, { begin, end }: LoggedTurn): TurnOnRecord {
  const { engine, attempt, part, output, time } = begin;
  return {
    ...{ engine, attempt, part: part ?? null, begin: time, files: filesOf(output) },
    ...{ model: end?.model ?? null, end: end?.time ?? null, outcome: end?.outcome ?? null },
    ...{ tokens: end?.tokens ?? null, costUsd: end?.cost ?? null },
  };
}
