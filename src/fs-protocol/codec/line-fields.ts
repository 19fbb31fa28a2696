import { SEAL } from "../../base/ports/files.ts";
import { ok, type Result } from "../../base/result.ts";
import { badLine, type BadLine } from "./bad-line.ts";

const SEALED = SEAL.trimEnd();

/**
 * Whether a line is a torn fragment that the next append sealed: readers skip it, and it is not an
 * error.
 */
export function isSealed(line: string): boolean {
  return line.endsWith(SEALED);
}

/**
 * Splits a line of a projection into its fields. A later version may append fields, which older
 * readers ignore; so a sealed fragment is rejected here, before its seal could pass for an extra
 * field.
 */
export function lineFields(line: string): Result<readonly string[], BadLine> {
  return isSealed(line) ? badLine("it was torn") : ok(line.split("|"));
}

/**
 * Whether an optional field holds the one value that it may have. An absent field is empty if other
 * fields follow it. Returns undefined if the field holds any other value.
 */
export function isMarked(fields: readonly string[], at: number, mark: string): boolean | undefined {
  const field = fields[at];
  if (field === mark) return true;
  return field === undefined || (field === "" && fields.length > at + 1) ? false : undefined;
}
