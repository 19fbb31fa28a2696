import { z } from "zod";
import { NonEmpty, PositiveInt } from "../../base/plain-values.ts";
import { lateObject } from "../../base/late-object.ts";
import type { FileFailure, Files } from "../../base/ports/files.ts";
import { ok, type Result } from "../../base/result.ts";
import { badLine, type BadLine } from "../codec/bad-line.ts";
import { lineFields } from "../codec/line-fields.ts";
import { decodeName, encodeName } from "../tasks/milestone-name.ts";

/**
 * One line of `logs/revisions.log`: a complete revision of this session. The revision's builder
 * writes it once, however often that builder is killed or the revision reopened (seed 000, US-008).
 *
 * ```
 * 1|2026-11-20T14:03:00.000Z|3|revision-1
 * ```
 */
export const RevisionLine = lateObject(() => ({
  number: PositiveInt,
  completedAt: z.iso.datetime(),
  /** Number of items in its plan. */
  itemCount: z.int().nonnegative(),
  /** Its home, relative to its parent's. */
  path: NonEmpty,
}));
export type RevisionLine = z.infer<typeof RevisionLine>;

/** Encodes one line, newline included. */
export function encodeRevision({ number, completedAt, itemCount, path }: RevisionLine): string {
  return `${[String(number), completedAt, String(itemCount), encodeName(path)].join("|")}\n`;
}

/** Decodes one line without its newline. */
export function decodeRevision(line: string): Result<RevisionLine, BadLine> {
  const parts = lineFields(line);
  if (!parts.ok) return parts;
  const [number = "", completedAt, itemCount = "", path = ""] = parts.value;
  if (![number, itemCount].every((digits) => /^\d{1,9}$/.test(digits))) {
    return badLine("its number or its count is none");
  }
  const fields = {
    number: Number(number),
    completedAt,
    itemCount: Number(itemCount),
    path: decodeName(path),
  };
  const parsed = RevisionLine.safeParse(fields);
  return parsed.success ? ok(parsed.data) : badLine("it does not name a revision");
}

const LOG_BYTES_MAX = 1024 * 1024;

/**
 * Reads the complete revisions of a session, sorted by number. Each counts once; invalid lines are
 * skipped.
 */
export function readRevisionsLog(
  files: Pick<Files, "read">,
  path: string,
): Result<readonly RevisionLine[], FileFailure> {
  const read = files.read(path, LOG_BYTES_MAX);
  if (!read.ok) return read;
  const lines = new TextDecoder().decode(read.value ?? new Uint8Array()).split("\n");
  const found = new Map<number, RevisionLine>();
  // After the last newline, a writer may still be at work.
  for (const line of lines.slice(0, -1)) {
    const decoded = decodeRevision(line);
    if (decoded.ok && !found.has(decoded.value.number))
      found.set(decoded.value.number, decoded.value);
  }
  return ok([...found.values()].sort((one, other) => one.number - other.number));
}
