import type { z } from "zod";
import { recordOf } from "../codec/record-fields.ts";

const KINDS = new Set<string>();

/**
 * Defines a record that must be copied to its journal's copy immediately: a model, a command or git
 * runs for long after it, or it ends or decides something. A process that is killed later then has
 * lost none of these, whatever happens to the journal. Other records are copied at the next check.
 */
export function copiedRecordOf<Kind extends string, Fields extends z.ZodRawShape>(
  ...record: Parameters<typeof recordOf<Kind, Fields>>
) {
  KINDS.add(record[0]);
  return recordOf(...record);
}

/** Whether any of a journal's lines has such a kind as its second word. */
export function isAnyCopiedAtOnce(lines: Uint8Array): boolean {
  const text = Buffer.from(lines).toString("latin1");
  return text.split("\n").some((line) => KINDS.has(line.split(" ", 2)[1] ?? ""));
}
