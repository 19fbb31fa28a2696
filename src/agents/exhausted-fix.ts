import { encodeFixFailed } from "../fs-protocol/findings-block.ts";
import type { JudgeFold } from "../fs-protocol/fold-judge.ts";
import type { Home } from "../fs-protocol/home.ts";
import type { ReviewerRecord } from "../fs-protocol/reviewer-log.ts";
import type { TesterRecord } from "../fs-protocol/tester-log.ts";
import type { Projection } from "./projector.ts";

/**
 * The `[Review Fix Failed]` entry of an item whose last fix its opener did not accept. An item whose
 * last fix the builder could not make has its entry from the builder.
 */
export function exhaustedFix(
  home: Home,
  record: ReviewerRecord | TesterRecord,
  after: JudgeFold,
): readonly Projection[] {
  if (record.kind !== "verify.end" || record.exhausted === undefined) return [];
  const { id, time, attempt, exhausted, reason = "" } = record;
  const item = after.items.get(id);
  if (item === undefined || !after.open.has(id)) return [];
  const text = encodeFixFailed({
    time,
    reviewer: item.reviewer,
    id,
    attempt,
    attemptsMax: exhausted,
    issue: item.brief,
    reason,
  });
  return [{ path: home.progress, text, isShared: true }];
}
