import { z } from "zod";
import { Oid } from "../../base/oid.ts";
import { ok, type Result } from "../../base/result.ts";
import { badLine, type BadLine } from "../codec/bad-line.ts";
import { lineFields } from "../codec/line-fields.ts";
import { decodeName, encodeName } from "../tasks/milestone-name.ts";

const at = { n: z.int().nonnegative(), sha: Oid };

/**
 * One line of `logs/builder.done`: how far the session is from its end, or whether it has ended.
 * One line per change; the last one counts. `n` is the number of the newest final pass, 0 before
 * the first.
 *
 * ```
 * final|1|<sha> final pass 1 was requested, at this HEAD
 * complete|1|<sha> the session ended, everything is in order
 * stuck|1|<sha>|<reason> the session ended, and needs a person
 * reopened|1|<sha>|<reason> it continues after an end at this HEAD
 * ```
 */
export const DoneLine = z.discriminatedUnion("kind", [
  z.object({ kind: z.literal("final"), ...at }),
  z.object({ kind: z.literal("complete"), ...at }),
  z.object({ kind: z.literal("stuck"), ...at, reason: z.string() }),
  z.object({ kind: z.literal("reopened"), ...at, reason: z.string() }),
]);
export type DoneLine = z.infer<typeof DoneLine>;

/** Encodes one line, newline included. */
export function encodeDone(line: DoneLine): string {
  const fields = [line.kind, String(line.n), line.sha];
  if ("reason" in line) fields.push(encodeName(line.reason));
  return `${fields.join("|")}\n`;
}

const HAS_REASON: ReadonlySet<string> = new Set(["stuck", "reopened"]);

/** Decodes one line without its newline. */
export function decodeDone(line: string): Result<DoneLine, BadLine> {
  const parts = lineFields(line);
  if (!parts.ok) return parts;
  const [kind = "", n = "", sha] = parts.value;
  const reason = HAS_REASON.has(kind) ? parts.value[3] : undefined;
  if (!/^\d{1,15}$/.test(n)) return badLine("its second field is not a number");
  const decoded = reason === undefined ? undefined : decodeName(reason);
  if (decoded === undefined && reason !== undefined) {
    return badLine("its reason is not percent-encoded");
  }
  const fields = { kind, n: Number(n), sha, ...(decoded === undefined ? {} : { reason: decoded }) };
  const parsed = DoneLine.safeParse(fields);
  if (parsed.success) return ok(parsed.data);
  return badLine(`${kind} with ${String(parts.value.length)} fields is no line of it`);
}
