import { schemaProblem } from "./schema-problem.ts";
import { z } from "zod";
import { assert } from "../../base/assert.ts";
import { LINE_BYTES_MAX } from "../../base/limits.ts";
import { fail, ok, type Result } from "../../base/result.ts";
import { badLine, type NoRecord } from "./bad-line.ts";
import { decodeLogfmt, encodeLogfmt, type LogfmtFields } from "./logfmt.ts";
import { saysAll } from "./says-all.ts";

const WireFields = z.record(z.string(), z.string().optional());

/** What a writer says of a record that readers may pass over: no record has a field of that name. */
export const OPTIONAL = { key: "optional", value: "yes" } as const;

const KIND_CHARS_SHOWN_MAX = 60;

/**
 * One record as one line, newline included. Readers pass over what they do not know, so a field that no
 * schema has is found here: what was written has to come back whole.
 */
export function encodeRecord<S extends z.ZodType>(schema: S, record: z.output<S>): string {
  const wire = WireFields.parse(z.encode(schema, record));
  const fields = Object.entries(wire).flatMap(([key, value]) =>
    value === undefined ? [] : [[key, value] as const],
  );
  const line = encodeLogfmt(Object.fromEntries(fields));
  // A longer one would be passed over by every reader: what it says would be lost without a word.
  assert(Buffer.byteLength(line) < LINE_BYTES_MAX, "a record fits into a line");
  const read = decodeRecord(schema, line, true);
  assert(read.ok && saysAll(read.value, record), "a record holds nothing that its schema has not");
  return `${line}\n`;
}

/**
 * One line without its newline as a record, or why it is none. Fields that the schema does not have are
 * passed over, at any depth, and so are kinds that it does not have where their writer marked them as
 * optional.
 *
 * @param isOneOfFew there may be no more such lines than it takes to make up for compiling the schema
 */
export function decodeRecord<S extends z.ZodType>(
  schema: S,
  line: string,
  isOneOfFew = false,
): Result<z.output<S>, NoRecord> {
  const fields = decodeLogfmt(line);
  if (!fields.ok) return fields;
  const parsed = schema.safeParse(fields.value, { jitless: isOneOfFew });
  if (parsed.success) return ok(parsed.data);
  const [issue] = parsed.error.issues;
  // Of a union of kinds that is what it says of one that it does not have.
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
