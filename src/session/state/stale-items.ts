import type { ReviewerRecord } from "../../fs-protocol/records/reviewer-log.ts";
import type { TesterRecord } from "../../fs-protocol/records/tester-log.ts";

type VerifyEnd = Extract<ReviewerRecord | TesterRecord, { readonly kind: "verify.end" }>;

/** An item that was reopened because its fix left the lines in question unchanged. */
export interface Stale {
  /** Number of consecutive such verdicts. */
  readonly count: number;
  /** Session reopens that its opener had seen; a later one grants fresh attempts. */
  readonly atReopens: number;
}

/** Counts consecutive verdicts on an unchanged item; a verification that gave up is ignored. */
export function withStale(
  before: ReadonlyMap<string, Stale>,
  record: VerifyEnd,
): ReadonlyMap<string, Stale> {
  const { id, verdict, stale: count = 0, reopens: atReopens = 0 } = record;
  if (verdict === "gaveup" || (count === 0 && !before.has(id))) return before;
  const next = new Map(before);
  if (count === 0) next.delete(id);
  else next.set(id, { count, atReopens });
  return next;
}
