import type { z } from "zod";
import type { Clock } from "../../base/ports/clock.ts";
import { need } from "../../base/fatal.ts";
import type { Files } from "../../base/ports/files.ts";
import { encodeRecord } from "../../fs-protocol/codec/record-codec.ts";
import type { CommonRecord } from "../../fs-protocol/records/common-records.ts";
import { clip } from "./clip.ts";

/** The log that a role alone writes: what is in it has happened, what is not has not. */
export interface Journal<R> {
  /** The time of a record about to be appended. */
  time(): string;
  /**
   * One write, one fsync, for all of them. Without it the process cannot go on. Of a guarded log also
   * without a record: then only what its guard has to say is written, if there is anything.
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

/** Puts a sentence for people on record, as one bounded line. `rescue`: the reference that keeps the work it is about. */
export function note(
  { journal }: { readonly journal: Journal<Note> },
  text: string,
  rescue?: string,
): void {
  journal.append({ kind: "note", time: journal.time(), text: clip(text), rescue });
}
