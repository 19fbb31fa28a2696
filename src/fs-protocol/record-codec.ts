import { z } from "zod";
import { assert } from "../base/assert.ts";
import { LINE_BYTES_MAX } from "../base/limits.ts";
import { ok, type Result } from "../base/result.ts";
import { badLine, type BadLine } from "./bad-line.ts";
import { decodeLogfmt, encodeLogfmt } from "./logfmt.ts";

const WireFields = z.record(z.string(), z.string().optional());

/** One record as one line, newline included. */
export function encodeRecord<S extends z.ZodType>(schema: S, record: z.output<S>): string {
  const wire = WireFields.parse(z.encode(schema, record));
  const fields = Object.entries(wire).flatMap(([key, value]) =>
    value === undefined ? [] : [[key, value] as const],
  );
  const line = `${encodeLogfmt(Object.fromEntries(fields))}\n`;
  // A longer one would be passed over by every reader: what it says would be lost without a word.
  assert(Buffer.byteLength(line) <= LINE_BYTES_MAX, "a record fits into a line");
  return line;
}

/**
 * One line without its newline as a record, or why it is none.
 *
 * @param isOneOfFew there may be no more such lines than it takes to make up for compiling the schema
 */
export function decodeRecord<S extends z.ZodType>(
  schema: S,
  line: string,
  isOneOfFew = false,
): Result<z.output<S>, BadLine> {
  const fields = decodeLogfmt(line);
  if (!fields.ok) return fields;
  const parsed = schema.safeParse(fields.value, { jitless: isOneOfFew });
  if (parsed.success) return ok(parsed.data);
  const [issue] = parsed.error.issues;
  return badLine(`${issue?.path.join(".") ?? ""}: ${issue?.message ?? ""}`);
}
