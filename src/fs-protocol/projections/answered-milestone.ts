import { ok, type Result } from "../../base/result.ts";
import { decodeAnswered, encodeAnswered } from "./answered-line.ts";
import { badLine, type BadLine } from "../codec/bad-line.ts";
import { decodeName, encodeName } from "../tasks/milestone-name.ts";

/**
 * One line of `logs/reviewer.milestone` or `logs/tester.milestone`, which cache facts of
 * `reviewer.log` and `tester.log`: `<name>` of a milestone that was reviewed or tested,
 * `<name>|gaveup` if the role gave up on it. The last line about a name counts.
 */
export interface AnsweredMilestone {
  readonly name: string;
  readonly gaveUp: boolean;
}

/** Encodes one line, newline included. */
export function encodeAnsweredMilestone({ name, gaveUp }: AnsweredMilestone): string {
  return encodeAnswered({ subject: encodeName(name), gaveUp });
}

/** Decodes one line without its newline. */
export function decodeAnsweredMilestone(line: string): Result<AnsweredMilestone, BadLine> {
  const answered = decodeAnswered(line);
  if (!answered.ok) return answered;
  const name = decodeName(answered.value.subject);
  if (name === undefined) return badLine("its name is not percent-encoded");
  return ok({ name, gaveUp: answered.value.gaveUp });
}
