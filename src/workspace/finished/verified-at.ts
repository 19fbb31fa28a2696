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

function finallyVerified({
  tester: { finalVerify: verdict, finalAt: at },
}: SessionState): VerifiedAt | undefined {
  if (verdict === undefined || verdict === "nosuite") return undefined;
  return { outcome: verdict === "passed" ? "passed" : "failed", verdict, at };
}

function lastVerified({ builder }: SessionState): VerifiedAt | undefined {
  const last = [...builder.verified.values()].at(-1);
  return last && { outcome: last.outcome, at: last.at };
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
