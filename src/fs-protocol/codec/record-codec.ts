import { schemaProblem } from "./schema-problem.ts";
import { z } from "zod";
import { assert } from "../../base/assert.ts";
import { LINE_BYTES_MAX } from "../../base/limits.ts";
import { fail, ok, type Result } from "../../base/result.ts";
import { badLine, type NoRecord } from "./bad-line.ts";
import { decodeLogfmt, encodeLogfmt, type LogfmtFields } from "./logfmt.ts";
import { holdsAllOf } from "./holds-all-of.ts";

const WireFields = z.record(z.string(), z.string().optional());

/**
 * The field with which a writer marks a record that readers may skip. Only kinds that were added later, and that fold
 * into nothing, have it.
 */
export const OPTIONAL = { key: "optional", value: "yes" } as const;

const KIND_CHARS_SHOWN_MAX = 60;

/** Compiling a schema takes as long as some hundred values without that. */
const UNCOMPILED = { jitless: true } as const;

/**
 * Encodes one record as one line, newline included. Readers ignore unknown fields, so a field that
 * is missing from the schema is caught here: the line must decode to everything that the record
 * holds.
 */
export function encodeRecord<S extends z.ZodType>(schema: S, record: z.output<S>): string {
  const wire = WireFields.parse(z.encode(schema, record, UNCOMPILED));
  const fields = Object.entries(wire).flatMap(([key, value]) =>
    value === undefined ? [] : [[key, value] as const],
  );
  const line = encodeLogfmt(Object.fromEntries(fields));
  // Every reader would skip a longer line, and its record would be lost silently.
  assert(Buffer.byteLength(line) < LINE_BYTES_MAX, "a record fits into a line");
  const read = decodeRecord(schema, line, true);
  assert(
    read.ok && holdsAllOf(read.value, record),
    "a record holds nothing that its schema has not",
  );
  return `${line}\n`;
}

/**
 * Decodes one line without its newline. Fields that are not in the schema are ignored, at any
 * depth; so is a record of an unknown kind if its writer marked it as optional.
 *
 * @param isOneOfFew whether there may be too few such lines to make up for compiling the schema
 */
export function decodeRecord<S extends z.ZodType>(
  schema: S,
  line: string,
  isOneOfFew = false,
): Result<z.output<S>, NoRecord> {
  const fields = decodeLogfmt(line);
  if (!fields.ok) return fields;
  const parsed = schema.safeParse(fields.value, isOneOfFew ? UNCOMPILED : {});
  if (parsed.success) return ok(parsed.data);
  const [issue] = parsed.error.issues;
  // For a discriminated union, this issue means that no member has the record's kind.
  if (issue?.code === "invalid_union" && issue.path[0] === "kind") return unknownKind(fields.value);
  return badLine(schemaProblem(parsed.error));
}

function unknownKind(fields: LogfmtFields): Result<never, NoRecord> {
  const kind = fields["kind"]?.slice(0, KIND_CHARS_SHOWN_MAX) ?? "";
  const problem = `${kind} is no kind of record of this log; was it written by a newer wisp?`;
  return fields[OPTIONAL.key] === OPTIONAL.value
    ? fail({ kind: "passed-over", problem })
    : badLine(problem);
}
