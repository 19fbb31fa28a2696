import { Oid } from "../../base/oid.ts";
import { ok, type Result } from "../../base/result.ts";
import { badLine, type BadLine } from "../codec/bad-line.ts";
import { FinalVerify } from "../records/final-verify.ts";
import { isMarked, lineFields } from "../codec/line-fields.ts";

/**
 * One line of `logs/tester.final`, which caches facts of `tester.log`: `<n>|<sha>||<verify>` if
 * final pass `n` was answered, with verify's result there; `<n>|<sha>|gaveup` if the tester gave up
 * on it. `sha` is HEAD after the tester's own commits. The last line counts.
 */
export interface FinalPass {
  /** From 1. */
  readonly n: number;
  readonly at: Oid;
  readonly gaveUp: boolean;
  /** Undefined if verify did not run there, as in version 1. */
  readonly verify: FinalVerify | undefined;
}

/** Encodes one line, newline included. */
export function encodeFinalPass({ n, at, gaveUp, verify }: FinalPass): string {
  const fields = [String(n), at, gaveUp ? "gaveup" : "", verify ?? ""];
  return `${fields.join("|").replace(/\|+$/u, "")}\n`;
}

/** Decodes one line without its newline. */
export function decodeFinalPass(line: string): Result<FinalPass, BadLine> {
  const fields = lineFields(line);
  if (!fields.ok) return fields;
  const [n = "", at, , word = ""] = fields.value;
  if (!/^[1-9]\d{0,14}$/.test(n)) return badLine("its first field is not the number of a pass");
  const sha = Oid.safeParse(at);
  if (!sha.success) return badLine("its second field is not a full-length git object id");
  const gaveUp = isMarked(fields.value, 2, "gaveup");
  if (gaveUp === undefined) return badLine("its third field is not gaveup");
  const verify = FinalVerify.optional().safeParse(word === "" ? undefined : word);
  if (!verify.success) return badLine("its fourth field does not say what verify said");
  return ok({ n: Number(n), at: sha.data, gaveUp, verify: verify.data });
}
