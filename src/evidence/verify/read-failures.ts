import { join } from "node:path";
import { need } from "../../base/fatal.ts";
import type { BuilderFold } from "../../session/state/builder-state.ts";
import type { RoleContext } from "../../work/role-context.ts";
import { cleanedTail } from "../../work/run-in-order.ts";
import { treesDirectory } from "../verify-tree/tree-place.ts";
import {
  failingByFirstRules,
  failingTests,
  passedTally,
  type Failures,
  type PrintedRun,
} from "./failing-tests.ts";
import type { Tally } from "../../fs-protocol/records/tally.ts";

type Reads = Pick<RoleContext, "ports" | "home" | "session" | "reader">;

/** How much of the output is searched for failing tests. The shorter end that a prompt contains may lack the first. */
const READ_CHARS_MAX = 4 * 1024 * 1024;

/**
 * Reads which tests failed in the output of a run, `logs/turns/<output>.out`, by the rules of this session, so that
 * all of its results can be compared with one another.
 *
 * @param neutral the name of the folder of the neutral tree, if it ran there
 */
export async function readFailures(
  context: Reads,
  output: string,
  neutral?: string,
): Promise<Failures> {
  const printed = { ...printedBy(context, output), neutral };
  return (await isByFirstRules(context)) ? failingByFirstRules(printed) : failingTests(printed);
}

/** Reads the totals of a run that passed; undefined in a session that an older wisp began. */
export async function readPassed(context: Reads, output: string): Promise<Tally | undefined> {
  const isOld = await isByFirstRules(context);
  return isOld ? undefined : passedTally(printedBy(context, output));
}

function printedBy({ ports: { files }, home, session }: Reads, output: string): PrintedRun {
  const path = join(home.turns, `${output}.out`);
  return {
    output: cleanedTail(files, path, READ_CHARS_MAX),
    isCut: (files.stat(path)?.sizeBytes ?? 0) > READ_CHARS_MAX,
    trees: treesDirectory(session),
  };
}

async function isByFirstRules({ reader }: Reads): Promise<boolean> {
  return readsByFirstRules(need(await reader.read()).builder);
}

/**
 * Whether an older wisp began the session: its results name tests by other rules, and a result of the present ones
 * would blame somebody for each name.
 */
function readsByFirstRules({ verified }: Pick<BuilderFold, "verified">): boolean {
  return [...verified.values()].some(({ tally }) => tally === undefined);
}
