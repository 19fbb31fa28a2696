import { ok, type Result } from "../../base/result.ts";
import { badLine, type BadLine } from "../codec/bad-line.ts";
import { isMarked, lineFields } from "../codec/line-fields.ts";

/**
 * Lines that say what a judge is done with: `<subject>`, or `<subject>|gaveup` when its attempts were
 * used up, which answers what was owed without a judgement. The last line about a subject counts.
 */
export interface AnsweredLine {
  /** As it stands in the line. */
  readonly subject: string;
  readonly gaveUp: boolean;
}

/** One line, newline included. */
export function encodeAnswered({ subject, gaveUp }: AnsweredLine): string {
  return `${subject}${gaveUp ? "|gaveup" : ""}\n`;
}

/** One line without its newline. */
export function decodeAnswered(line: string): Result<AnsweredLine, BadLine> {
  const fields = lineFields(line);
  if (!fields.ok) return fields;
  const [subject = ""] = fields.value;
  const gaveUp = isMarked(fields.value, 1, "gaveup");
  if (subject === "") return badLine("its first field is empty");
  if (gaveUp === undefined) return badLine("its second field is not gaveup");
  return ok({ subject, gaveUp });
}
