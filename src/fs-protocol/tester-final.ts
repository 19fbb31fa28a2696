import { Oid } from "../base/oid.ts";
import { ok, type Result } from "../base/result.ts";
import { badLine, type BadLine } from "./bad-line.ts";
import { isMarked, lineFields } from "./line-fields.ts";

/**
 * One line of `logs/tester.final`, a cache of what `tester.log` says: `<n>|<sha>` when final pass `n`
 * was answered, `<n>|<sha>|gaveup` when the tester gave up on it. `sha` is HEAD after the tester's
 * own commits. The last line counts.
 */
export interface FinalPass {
  /** From 1. */
  readonly n: number;
  readonly at: Oid;
  readonly gaveUp: boolean;
}

/** One line, newline included. */
export function encodeFinalPass({ n, at, gaveUp }: FinalPass): string {
  return `${String(n)}|${at}${gaveUp ? "|gaveup" : ""}\n`;
}

/** One line without its newline. */
export function decodeFinalPass(line: string): Result<FinalPass, BadLine> {
  const fields = lineFields(line);
  if (!fields.ok) return fields;
  const [n = "", at] = fields.value;
  if (!/^[1-9]\d{0,14}$/.test(n)) return badLine("its first field is not the number of a pass");
  const sha = Oid.safeParse(at);
  if (!sha.success) return badLine("its second field is not a full-length git object id");
  const gaveUp = isMarked(fields.value, 2, "gaveup");
  if (gaveUp === undefined) return badLine("its third field is not gaveup");
  return ok({ n: Number(n), at: sha.data, gaveUp });
}
