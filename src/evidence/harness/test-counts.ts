import { join } from "node:path";
import { need } from "../../base/fatal.ts";
import type { Oid } from "../../base/oid.ts";
import type { Clone } from "../../base/ports/repo.ts";
import type { SessionJson } from "../../fs-protocol/home/session-json.ts";
import { verifyKey, type VerifyResult } from "../../session/state/builder-state.ts";
import type { SessionState } from "../../session/state/session-state.ts";
import type { RoleContext } from "../../work/role-context.ts";
import { cleanedTail } from "../../work/run-in-order.ts";
import { totalsOf } from "../printed/all-printed.ts";
import { commandKey } from "../verify/command-key.ts";

/** How many tests ran, according to the output of a run; undefined if the output does not tell. */
export function testCount(output: string): number | undefined {
  const { passed, failed } = totalsOf(output);
  return passed === undefined && failed === undefined ? undefined : (passed ?? 0) + (failed ?? 0);
}

/**
 * Classifies a drop in the number of tests, in a range where no test file lost one. Fewer than half, or none at
 * all, is no accident, because runs do not vary that much. A smaller drop may be one (a table lost a row, or a
 * part was skipped because something is not installed), and is only reported.
 */
export function fallOf(before: number, after: number): "none" | "some" | "most" {
  if (after >= before) return "none";
  return after * 2 < before ? "most" : "some";
}

/** The known results of verify at both ends of a range. */
export interface VerifiedEnds {
  readonly start: VerifyResult | undefined;
  readonly end: VerifyResult | undefined;
}

/** The number of tests that ran at both ends of a range, and how far it fell. */
export interface Counted {
  readonly before: number;
  readonly after: number;
  readonly fall: ReturnType<typeof fallOf>;
}

/**
 * Counts the tests that ran at both ends. Undefined if either output does not contain the number, or if verify
 * was red, since it may have ended early.
 */
export function countedTests(
  { home, ports }: Pick<RoleContext<"reviewer">, "home" | "ports">,
  ends: VerifiedEnds,
): Counted | undefined {
  const countOf = (verified: VerifyResult | undefined) => {
    if (verified?.outcome !== "passed" || verified.output === undefined) return undefined;
    const path = join(home.turns, `${verified.output}.out`);
    // The numbers of an output that is read in part say nothing.
    if ((ports.files.stat(path)?.sizeBytes ?? 0) > READ_CHARS_MAX) return undefined;
    return testCount(cleanedTail(ports.files, path, READ_CHARS_MAX));
  };
  const [before, after] = [countOf(ends.start), countOf(ends.end)];
  if (before === undefined || after === undefined) return undefined;
  return { before, after, fall: fallOf(before, after) };
}

/** How much of the output is searched for numbers of tests. */
const READ_CHARS_MAX = 4 * 1024 * 1024;

/** The recorded results of verify at both ends of a range; undefined where it was not run. */
export async function verifiedEnds(
  { verify }: Pick<SessionJson, "verify">,
  { builder }: SessionState,
  clone: Pick<Clone, "treeOf">,
  { start, end }: { readonly start: Oid; readonly end: Oid },
): Promise<VerifiedEnds> {
  const at = async (oid: Oid): Promise<VerifyResult | undefined> => {
    const tree = need(await clone.treeOf(oid));
    return builder.verified.get(verifyKey(commandKey(verify), tree));
  };
  return { start: await at(start), end: await at(end) };
}
