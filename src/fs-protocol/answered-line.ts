import { fail, ok, type Result } from "../base/result.ts";
import type { BadLine } from "./logfmt.ts";

/**
 * Lines that say what a judge is done with: `<subject>`, or `<subject>|gaveup` when its attempts were
 * used up, which answers what was owed without a judgement. The last line about a subject counts.
 */
export interface AnsweredLine {
  readonly subject: string;
  readonly gaveUp: boolean;
}

/** One line, newline included. `subject` is encoded already. */
export function encodeAnswered({ subject, gaveUp }: AnsweredLine): string {
  return `${subject}${gaveUp ? "|gaveup" : ""}\n`;
}

/** One line without its newline; the subject comes back as it stands there. */
export function decodeAnswered(line: string): Result<AnsweredLine, BadLine> {
  const [subject = "", mark, ...more] = line.split("|");
  if (subject === "") return badLine("its first field is empty");
  if (more.length > 0) return badLine("it has more than two fields");
  if (mark !== undefined && mark !== "gaveup") return badLine("its second field is not gaveup");
  return ok({ subject, gaveUp: mark === "gaveup" });
}

/** The failure of a decoder. `problem` goes behind the name of the file and the number of the line. */
export function badLine(problem: string): Result<never, BadLine> {
  return fail({ kind: "bad-line", problem });
}
