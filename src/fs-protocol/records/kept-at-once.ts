import type { z } from "zod";
import { recordOf } from "../codec/record-fields.ts";

const KINDS = new Set<string>();

/**
 * A record that the copy of its journal is to hold at once: after which a model, a command or git is at work for
 * long, or which ends or decides something. So whoever is killed afterwards has lost none of them, whatever was
 * done to the journal. Of the others the next look takes care.
 */
export function keptRecordOf<Kind extends string, Fields extends z.ZodRawShape>(
  kind: Kind,
  fields: Fields,
) {
  KINDS.add(kind);
  return recordOf(kind, fields);
}

/** Whether one of the lines of a journal is such a record, by the word where its kind stands. */
export function isAnyKeptAtOnce(lines: Uint8Array): boolean {
  const text = Buffer.from(lines).toString("latin1");
  return text.split("\n").some((line) => KINDS.has(line.split(" ", 2)[1] ?? ""));
}
