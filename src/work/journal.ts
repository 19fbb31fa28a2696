import type { z } from "zod";
import type { Clock } from "../base/ports/clock.ts";
import { need } from "../base/fatal.ts";
import type { Files } from "../base/ports/files.ts";
import { tracing, type Trace } from "../base/ports/trace.ts";
import { encodeRecord } from "../fs-protocol/codec/record-codec.ts";
import type { CommonRecord } from "../fs-protocol/records/common-records.ts";
import { clip } from "./clip.ts";

/** The log that only its role writes. It is the truth: an event has happened if and only if it is recorded there. */
export interface Journal<R> {
  /** The timestamp for a record that is about to be appended: ISO 8601, UTC. */
  time(): string;
  /**
   * Appends all records with one write and one fsync. Ends the process if that fails. If the log is guarded, a call
   * without records writes the pending records of the guard, if there are any.
   */
  append(...records: readonly R[]): void;
}

/** Opens the journal at `path`. */
export function createJournal<S extends z.ZodType>(
  ports: { readonly files: Files; readonly clock: Clock },
  path: string,
  schema: S,
): Journal<z.output<S>> {
  return {
    time: () => new Date(ports.clock.nowMs()).toISOString(),
    append: (...records) => {
      const lines = records.map((record) => encodeRecord(schema, record)).join("");
      need(ports.files.append(path, Buffer.from(lines)));
      const trace = tracing();
      if (trace !== undefined) for (const record of records) traceUnit(trace, record);
    },
  };
}

/** Tells the trace which unit a record begins or ends. */
function traceUnit(trace: Trace, record: unknown): void {
  const [kind = "", unit] = [textIn(record, "kind"), textIn(record, "unit")];
  if (unit === undefined) return;
  if (kind === "unit.begin") trace.unitBegan(unit);
  if (!kind.endsWith(".end") || kind === "turn.end") return;
  trace.unitEnded(textIn(record, "outcome") ?? textIn(record, "verdict") ?? "ended");
}

function textIn(record: unknown, field: string): string | undefined {
  if (typeof record !== "object" || record === null) return undefined;
  const value: unknown = Reflect.get(record, field);
  return typeof value === "string" ? value : undefined;
}

type Note = Extract<CommonRecord, { readonly kind: "note" }>;

/** Records a sentence for people as one bounded line. `rescue`: the ref that keeps the work it is about. */
export function note(
  { journal }: { readonly journal: Journal<Note> },
  text: string,
  rescue?: string,
): void {
  journal.append({ kind: "note", time: journal.time(), text: clip(text), rescue });
}
