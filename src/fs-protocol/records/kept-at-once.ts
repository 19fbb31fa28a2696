import { z } from "zod";

const KINDS = new Set<string>();

/**
 * The `kind` of a record that the copy of its journal is to hold at once: after which a model, a command or git is
 * at work for long, or which ends or decides something. So whoever is killed afterwards has lost none of them,
 * whatever was done to the journal. Of the others the next look takes care.
 */
export function keptAtOnce<Kind extends string>(kind: Kind): z.ZodLiteral<Kind> {
  KINDS.add(kind);
  return z.literal(kind);
}

/** Whether one of the lines of a journal is such a record, by the word where its kind stands. */
export function isAnyKeptAtOnce(lines: Uint8Array): boolean {
  const text = Buffer.from(lines).toString("latin1");
  return text.split("\n").some((line) => KINDS.has(line.split(" ", 2)[1] ?? ""));
}
