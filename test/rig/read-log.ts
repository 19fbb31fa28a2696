import type { z } from "zod";
import type { Files } from "../../src/base/ports/files.ts";
import { LogFold } from "../../src/fs-protocol/codec/log-fold.ts";

/** All records of a log, of which none may be bad. */
export function readRecords<T>(files: Files, path: string, schema: z.ZodType<T>): T[] {
  const kept: T[] = [];
  const log = new LogFold({
    files,
    path,
    schema,
    empty: 0,
    reduce: (count) => count + 1,
    onRecord: (record) => void kept.push(record),
  });
  log.refresh();
  if (log.quarantined.length > 0) throw new Error(`bad lines: ${JSON.stringify(log.quarantined)}`);
  return kept;
}

/** The records of one kind, typed here once, because the compiler cannot infer it for all logs together. */
export function ofKind<T extends { readonly kind: string }, K extends T["kind"]>(
  records: readonly T[],
  kind: K,
): Extract<T, { readonly kind: K }>[] {
  return records.filter((record) => isOfKind(record, kind));
}

/** Tells the kind of a record to the compiler. */
function isOfKind<T extends { readonly kind: string }, K extends T["kind"]>(
  record: T,
  kind: K,
): record is Extract<T, { readonly kind: K }> {
  return record.kind === kind;
}
