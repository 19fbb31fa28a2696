import { SUITE_REPEATS_MAX } from "../../base/look-limits.ts";
import type { RanCommand } from "../../fs-protocol/records/command-result.ts";
import { Repeats } from "../look/repeats.ts";
import {
  runOldTests,
  type OldTestsEnd,
  type OldTestsRun,
  type RecordingContext,
} from "./run-old-tests.ts";

/** The failures of a run of old tests that are new. */
export interface NewFailures {
  readonly failing: readonly string[];
  /** Whether the range is to blame for the failure. */
  readonly isBlamed: boolean;
}

export const NO_NEW_FAILURES: NewFailures = { failing: [], isBlamed: false };

export type ConfirmedFailures =
  | { readonly kind: "confirmed"; readonly newFailures: NewFailures }
  | Exclude<OldTestsEnd, { readonly kind: "ran" }>;

/**
 * Repeats a run of old tests in which something failed that a range would be blamed for: one red run blames nobody. What
 * passes in one of the repeats is not blamed. They run alone, as repeated looks at verify do.
 */
export async function confirmFailures(
  context: RecordingContext,
  remembered: ReadonlyMap<string, RanCommand>,
  run: OldTestsRun,
  seen: NewFailures,
): Promise<ConfirmedFailures> {
  const { repeats = new Repeats(context) } = run;
  let newFailures = seen;
  for (let again = 1; newFailures.isBlamed && again <= SUITE_REPEATS_MAX; again++) {
    const ran = await runOldTests(context, remembered, { ...run, again, repeats });
    if (ran.kind !== "ran") return ran;
    newFailures = failedIn(newFailures, ran);
  }
  return { kind: "confirmed", newFailures };
}

/** What failed in this run, too. One that names nothing confirms all, since it failed even earlier. */
function failedIn(
  { failing }: NewFailures,
  { outcome, failing: now }: Extract<OldTestsEnd, { kind: "ran" }>,
): NewFailures {
  if (outcome !== "failed") return NO_NEW_FAILURES;
  if (now === undefined || failing.length === 0) return { failing, isBlamed: true };
  const both = failing.filter((name) => now.includes(name));
  return { failing: both, isBlamed: both.length > 0 };
}
