import { need } from "../../base/fatal.ts";
import type { Oid } from "../../base/oid.ts";
import type { RoleContext } from "../../work/role-context.ts";
import { changedTests, type ChangedTests } from "./changed-tests.ts";
import { countsChecks } from "./counted-checks.ts";
import { findTests } from "./find-tests.ts";
import type { Tampering, TamperingKind } from "./tampering.ts";

/** After these a test has fewer checks that run. */
const OF_TESTS = new Set<TamperingKind>(["deleted", "skipped", "emptied", "weakened"]);

/** How many tests a range removed or skipped; undefined if that cannot be told. */
export async function removedTests(
  { clone: open, session }: Pick<RoleContext, "clone" | "session">,
  range: { readonly start: Oid; readonly end: Oid },
): Promise<number | undefined> {
  const clone = await open();
  need(await clone.bring(range.end));
  return removedCount(need(await changedTests(clone, range, session)));
}

/**
 * Counts them by their text. A runner may count one test several times (a table, a loop), so nothing is known of a
 * file that has one, nor of a file of another language, nor of tests that check less where a runner counts checks. If files
 * are left out, no test of theirs counts as removed.
 */
export function removedCount({
  tampering,
  before,
  old,
  isCountedAnew,
}: Pick<ChangedTests, "tampering" | "before" | "old" | "isCountedAnew">): number | undefined {
  if (isCountedAnew) return undefined;
  const tests = old.map((file) => findTests(file, before.get(file) ?? ""));
  const isUnclear = tests.some((each) => each.length === 0 || each.some(({ hasLoop }) => hasLoop));
  const isOfChecks = ({ file, was, kind }: Tampering) =>
    OF_TESTS.has(kind) && countsChecks(before.get(was?.file ?? file));
  if (isUnclear || tampering.some((one) => one.kind === "focused" || isOfChecks(one))) {
    return undefined;
  }
  return tampering.filter(({ kind }) => kind === "deleted" || kind === "skipped").length;
}
