import type { Oid } from "../../base/oid.ts";
import type { FinalVerify } from "../../fs-protocol/records/final-verify.ts";
import type { SessionState } from "../../session/state/session-state.ts";
import { shortSha } from "../session/describe-unit.ts";
import { endOf } from "../../session/state/end-in-force.ts";

/** The last outcome of verify for the work, and the commit that it ran at. */
export interface VerifiedAt {
  readonly outcome: "passed" | "failed";
  /** The result of a final pass; absent if verify ran while the work continued. */
  readonly verdict?: FinalVerify | undefined;
  /** Undefined in homes of earlier versions, which do not record it. */
  readonly at: Oid | undefined;
  readonly looked?: Looked | undefined;
}

/** How often verify was looked at for one result, and what was unsteady then. */
export interface Looked {
  /** How many looks the result took; absent: one. */
  readonly looks?: number | undefined;
  /** Tests that failed in one look at the same tree and passed in another one; absent: none. */
  readonly split?: readonly string[] | undefined;
}

/** The looks that the result of verify at a commit took, by whichever role it is on record. */
function lookedAt(
  { builder, tester }: Pick<SessionState, "builder" | "tester">,
  at: Oid | undefined,
): Looked {
  const results = [...builder.verified.values(), ...tester.ran.values()];
  // Of the tester's commands, only verify has looks.
  const found = results.findLast((one) => one.at === at && one.looks !== undefined);
  return { looks: found?.looks, split: found?.split };
}

/**
 * The last result of verify: from the final pass of the newest part that has ended, or, if that
 * part continues, from its builder's last run. Undefined if verify did not run.
 *
 * @param family the session, and its revisions ordered by number
 */
export function verifiedAt(family: readonly SessionState[]): VerifiedAt | undefined {
  for (const state of family.toReversed()) {
    const result = endOf(state) === undefined ? undefined : finallyVerified(state);
    const last = result ?? lastVerified(state) ?? finallyVerified(state);
    if (last !== undefined) return last;
  }
  return undefined;
}

function finallyVerified(state: SessionState): VerifiedAt | undefined {
  const { finalVerify: verdict, finalAt: at } = state.tester;
  if (verdict === undefined || verdict === "nosuite") return undefined;
  const outcome = verdict === "passed" ? "passed" : "failed";
  return { outcome, verdict, at, looked: lookedAt(state, at) };
}

function lastVerified({ builder }: SessionState): VerifiedAt | undefined {
  const last = [...builder.verified.values()].at(-1);
  if (last === undefined) return undefined;
  const { outcome, at, looks, split } = last;
  return { outcome, at, looked: { looks, split } };
}

const SAYS: Readonly<Record<FinalVerify, string>> = {
  passed: "passed",
  nosuite: "was not run",
  asbase: "failed no more than before the work began",
  excused: "failed, and a person dismissed that",
  red: "failed",
};

/** `passed at 725584e54c, and did not run at 002e37edcf, where the branch is`. */
export function verifiedWords(verified: VerifiedAt | undefined, head: Oid | undefined): string {
  if (verified === undefined) return "was not run";
  const { outcome, verdict, at } = verified;
  const result = verdict === undefined ? outcome : SAYS[verdict];
  if (at === undefined) return result;
  const isElsewhere = head !== undefined && head !== at;
  const not = isElsewhere ? `, and did not run at ${shortSha(head)}, where the branch is` : "";
  return `${result} at ${shortSha(at)}${not}`;
}
