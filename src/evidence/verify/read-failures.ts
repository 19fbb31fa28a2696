import { join } from "node:path";
import { need } from "../../base/fatal.ts";
import type { BuilderFold } from "../../session/state/builder-state.ts";
import type { RoleContext } from "../../work/role-context.ts";
import { cleanedTail } from "../../work/run-in-order.ts";
import { treesDirectory } from "../verify-tree/tree-place.ts";
import { failingByFirstRules, failingTests, type Failures } from "./failing-tests.ts";

/** How much of the output is searched for failing tests. The shorter end that a prompt contains may lack the first. */
const READ_CHARS_MAX = 4 * 1024 * 1024;

/**
 * Reads which tests failed in the output of a run, `logs/turns/<output>.out`, by the rules of this session, so that
 * all of its results can be compared with one another.
 */
export async function readFailures(
  { ports: { files }, home, session, reader }: RoleContext,
  output: string,
): Promise<Failures> {
  const path = join(home.turns, `${output}.out`);
  const printed = {
    output: cleanedTail(files, path, READ_CHARS_MAX),
    isCut: (files.stat(path)?.sizeBytes ?? 0) > READ_CHARS_MAX,
    trees: treesDirectory(session),
  };
  const { builder } = need(await reader.read());
  return readsByFirstRules(builder) ? failingByFirstRules(printed) : failingTests(printed);
}

/**
 * Whether an older wisp began the session: its results name tests by other rules, and a result of the present ones
 * would blame somebody for each name.
 */
export function readsByFirstRules({ verified }: Pick<BuilderFold, "verified">): boolean {
  return [...verified.values()].some(({ tally }) => tally === undefined);
}
