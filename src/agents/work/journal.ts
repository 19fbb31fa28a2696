import type { z } from "zod";
import type { Clock } from "../../base/ports/clock.ts";
import { need } from "../../base/fatal.ts";
import type { Files } from "../../base/ports/files.ts";
import { encodeRecord } from "../../fs-protocol/codec/record-codec.ts";
import type { CommonRecord } from "../../fs-protocol/records/common-records.ts";
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
    },
  };
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
