import { cpSync } from "node:fs";
import { basename, join } from "node:path";
import { isDeepStrictEqual } from "node:util";
import { endState, leftBehind } from "./end-state.ts";
import type { ProcessSession } from "./process-session.ts";

/** A folder for the files of a failed run, for inspection. */
const KEEP = process.env["WISP_TEST_KEEP"];

/**
 * Compares the result of a disturbed session with an undisturbed one, in words; empty if it is the same and
 * nothing is left behind. `failed` names the processes that did not end well.
 */
export async function judgeRun(
  session: ProcessSession,
  failed: readonly string[],
  expected: ReturnType<typeof endState>,
): Promise<readonly string[]> {
  const problems =
    failed.length > 0
      ? failed
      : [...differences(endState(session), expected), ...(await leftInTheEnd(session))];
  if (problems.length === 0 || KEEP === undefined) return problems;
  const kept = join(KEEP, basename(session.root));
  cpSync(session.root, kept, { recursive: true, verbatimSymlinks: true });
  return [...problems, `kept in ${kept}`];
}

function differences(
  end: Readonly<Record<string, unknown>>,
  expected: Readonly<Record<string, unknown>>,
): readonly string[] {
  return Object.entries(expected)
    .filter(([name, value]) => !isDeepStrictEqual(end[name], value))
    .map(([name]) => `${name} is ${JSON.stringify(end[name])}`);
}

/** Processes end a moment after they have reported their end. */
async function leftInTheEnd(session: ProcessSession): Promise<readonly string[]> {
  try {
    await session.until("the end of all processes", () => session.leftovers().length === 0);
  } catch {
    return session.leftovers();
  }
  return leftBehind(session);
}
