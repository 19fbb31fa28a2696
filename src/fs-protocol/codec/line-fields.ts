import { SEAL } from "../../base/ports/files.ts";
import { ok, type Result } from "../../base/result.ts";
import { badLine, type BadLine } from "./bad-line.ts";

const SEALED = SEAL.trimEnd();

/** Whether a line is a fragment that the next append closed: nobody reads it, and nothing is wrong. */
export function isSealed(line: string): boolean {
  return line.endsWith(SEALED);
}

/**
 * The fields of a line of a projection, one after the other. A later version may put more of them behind
 * those that a reader knows, who takes no notice; so a sealed fragment is told here, before it is taken
 * for a line with something behind it.
 */
export function lineFields(line: string): Result<readonly string[], BadLine> {
  return isSealed(line) ? badLine("it was torn") : ok(line.split("|"));
}

/**
 * Whether a field that is there only sometimes, and says one thing, says it: undefined where it says
 * another. It is empty where it is not there, and something follows.
 */
export function isMarked(fields: readonly string[], at: number, mark: string): boolean | undefined {
  const field = fields[at];
  if (field === mark) return true;
  return field === undefined || (field === "" && fields.length > at + 1) ? false : undefined;
}
