import type { VerifyResult } from "../state/builder-state.ts";
import { endOf, type Ended } from "../state/end-in-force.ts";
import type { SessionState } from "../state/session-state.ts";

/** What is said of work that nothing verified, in the same line as that it is done. */
export const NOTHING_VERIFIED = "nothing was verified";

type Ran = Pick<VerifyResult, "ran" | "tally">;

/** The most tests that ran in one of several runs; undefined if no test is known to have run and one run does not tell. */
export function mostRan(results: readonly Ran[]): number | undefined {
  const counts = results.map(testsRun);
  const most = counts.reduce<number>((max, ran) => Math.max(max, ran ?? 0), 0);
  return most === 0 && counts.includes(undefined) ? undefined : most;
}

/** The number that was recorded or, as in results of the tester, the one that the totals tell. */
function testsRun({ ran, tally }: Ran): number | undefined {
  if (ran !== undefined) return ran;
  const { passed, failed } = tally ?? {};
  return passed === undefined && failed === undefined ? undefined : (passed ?? 0) + (failed ?? 0);
}

/**
 * Whether no test is known to have run at any commit of the session, neither for the builder nor in the final pass: there
 * was no command, or its runner said that there are no tests. A run that does not tell counts as one with tests.
 */
export function hasVerifiedNothing({
  builder: { verified },
  tester: { finalVerify = "nosuite" },
  hasVerify = true,
}: VerifiedWork): boolean {
  if (finalVerify !== "nosuite") return false;
  return verified.size === 0 ? !hasVerify : mostRan([...verified.values()]) === 0;
}

/** What tells whether anything was verified. */
export type VerifiedWork = Pick<SessionState, "builder" | "tester" | "hasVerify">;

/** Whether a session is complete, and nothing was verified in it. */
export function isDoneUnverified(state: Ended & VerifiedWork): boolean {
  return endOf(state)?.how === "complete" && hasVerifiedNothing(state);
}

/** Why a session ended, and that nothing was verified if that is so; said once, whoever wrote the reason. */
export function withNothingVerified(reason: string, isUnverified: boolean): string {
  if (!isUnverified || reason.includes(NOTHING_VERIFIED)) return reason;
  return `${reason}; ${NOTHING_VERIFIED}`;
}
