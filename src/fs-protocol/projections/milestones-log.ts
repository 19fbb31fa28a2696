import { Oid } from "../../base/oid.ts";
import { ok, type Result } from "../../base/result.ts";
import { badLine, type BadLine } from "../codec/bad-line.ts";
import type { EndedMilestone } from "../records/builder-log.ts";
import { lineFields } from "../codec/line-fields.ts";
import { decodeName, encodeName } from "../tasks/milestone-name.ts";

/**
 * Encodes a line of `logs/milestones.log`: `<name>|<start sha>|<end sha>`, one for each milestone
 * that ended, in the order in which they ended. No prefix of a line is a valid line, since both ids
 * have the same length.
 */
export function encodeMilestone({ name, start, end }: EndedMilestone): string {
  return `${encodeName(name)}|${start}|${end}\n`;
}

/** Decodes one line without its newline. */
export function decodeMilestone(line: string): Result<EndedMilestone, BadLine> {
  const fields = lineFields(line);
  if (!fields.ok) return fields;
  const [encoded = "", ...ids] = fields.value.slice(0, 3);
  if (ids.length !== 2) return badLine("it does not have three fields");
  const name = decodeName(encoded);
  if (name === undefined || name === "") return badLine("its name is not percent-encoded");
  const [start, end] = ids.map((id) => Oid.safeParse(id).data);
  if (start === undefined || end?.length !== start.length) {
    return badLine("its second and third field are not full-length git object ids");
  }
  return ok({ name, start, end });
}
