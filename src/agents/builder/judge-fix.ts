import type { Oid } from "../../base/oid.ts";
import { attemptsMaxOf } from "../../session/state/builder-state.ts";
import type { SessionState } from "../../session/state/session-state.ts";
import { milestoneUnderway } from "../../session/steps/step-turn.ts";
import { breaksOldTests, type UnpublishedFix } from "../../evidence/integrity/breaks-old-tests.ts";
import { failureLine } from "../../evidence/verify/failure-report.ts";
import { isAcceptable } from "../../evidence/verify/verify-at.ts";
import type { RoleContext } from "../../work/role-context.ts";

/** A fix that is about to be published. */
interface JudgedFix extends Omit<UnpublishedFix, "m"> {
  readonly ids: readonly string[];
  /** The commit that its turn began at. */
  readonly base: Oid;
}

/** Why a fix may not be published. */
export interface WorseFix {
  /** `unknown`: verify says nothing of it, and no other fix would change that. */
  readonly kind: "stopped" | "worse" | "unknown";
  readonly at: Oid;
  readonly reason: string;
  /** The output of verify, if that is worse. */
  readonly output?: string | undefined;
}

/** Whether verify is worse with a fix, or old tests fail. Undefined if it may be published. */
export async function whyWorse(
  context: RoleContext<"builder">,
  state: SessionState,
  { base, ids, ...fix }: JudgedFix,
): Promise<WorseFix | undefined> {
  const at = fix.head;
  const isLast = isLastFix(state, ids);
  const verdict = await isAcceptable(context, state.builder, { at, references: [base], isLast });
  switch (verdict.kind) {
    case "stopped":
      return { kind: "stopped", at, reason: "stopped" };
    case "no": {
      const { red } = verdict;
      const reason = `verify is worse: ${failureLine(red)}`;
      return { kind: "worse", at, reason, output: red.output };
    }
    case "unknown":
      return { kind: "unknown", at, reason: verdict.reason };
    case "yes":
  }
  const seen = await breaksOldTests(context, state, { ...fix, m: milestoneUnderway(state) });
  if (seen.kind === "stopped") return { kind: "stopped", at, reason: "stopped" };
  if (seen.kind === "unknown") return { kind: "unknown", at, reason: seen.reason };
  return seen.broken === undefined ? undefined : { kind: "worse", at, reason: seen.broken };
}

/** Whether no further attempt at one of the items follows if this one fails. */
export function isLastFix({ builder, policy }: SessionState, ids: readonly string[]): boolean {
  return ids.some(
    (id) => (builder.fixes.get(id)?.length ?? 0) + 1 >= attemptsMaxOf(builder, id, policy),
  );
}
