import { ok, type Result } from "../../base/result.ts";
import { badLine, type BadLine } from "../codec/bad-line.ts";
import { isMarked, lineFields } from "../codec/line-fields.ts";

/**
 * A line that records that a judge has handled a subject: `<subject>`, or `<subject>|gaveup` if its
 * attempts were used up, in which case nothing was judged. The last line about a subject counts.
 */
export interface AnsweredLine {
  /** As encoded in the line. */
  readonly subject: string;
  readonly gaveUp: boolean;
}

/** Encodes one line, newline included. */
export function encodeAnswered({ subject, gaveUp }: AnsweredLine): string {
  return `${subject}${gaveUp ? "|gaveup" : ""}\n`;
}

/** Decodes one line without its newline. */
export function decodeAnswered(line: string): Result<AnsweredLine, BadLine> {
  const fields = lineFields(line);
  if (!fields.ok) return fields;
  const [subject = ""] = fields.value;
  const gaveUp = isMarked(fields.value, 1, "gaveup");
  if (subject === "") return badLine("its first field is empty");
  if (gaveUp === undefined) return badLine("its second field is not gaveup");
  return ok({ subject, gaveUp });
}
