import type { Oid } from "../../base/oid.ts";
import type { ReviewerRecord } from "../../fs-protocol/records/reviewer-log.ts";
import type { TesterRecord } from "../../fs-protocol/records/tester-log.ts";
import { decodeUnit } from "../../fs-protocol/records/unit-key.ts";

type ReviewEnd = Extract<ReviewerRecord, { readonly kind: "review.end" }>;
type TestEnd = Extract<TesterRecord, { readonly kind: "test.end" }>;

/** A unit that gave up, until it is tried once more after a reopen. */
export interface GaveUp {
  /** The last commit's sha or a milestone's name. */
  readonly subject: string;
  /** The first commit, if the unit covers several. */
  readonly first?: Oid | undefined;
  readonly of: "commit" | "milestone";
  /** Set for a milestone's review that was also the review of its commits. */
  readonly covers?: true | undefined;
  readonly atReopens: number;
  /** How its last attempt failed. */
  readonly reason: string | undefined;
}

/** Units that gave up, by the key under which the end of a session lists them. */
export type GaveUpUnits = ReadonlyMap<string, GaveUp>;

/**
 * Returns the key of a unit that gave up: `m<name>` for a milestone, `c<sha>` for the last commit
 * of the unit.
 */
export function gaveUpKey({ of, subject }: Pick<GaveUp, "of" | "subject">): string {
  return `${of === "milestone" ? "m" : "c"}${subject}`;
}

/** Returns what the end of a unit that gave up says of it. */
export function gaveUpOf(record: ReviewEnd | TestEnd, covers = false): GaveUp {
  const atReopens = record.reopens ?? 0;
  const { m = "", reason } = record;
  if (record.kind === "test.end") return { subject: m, of: "milestone", atReopens, reason };
  const { checkpoint } = record;
  if (checkpoint === undefined || m !== "") {
    const cover = covers ? ({ covers: true } as const) : {};
    return { subject: m, of: "milestone", ...cover, atReopens, reason };
  }
  const unit = decodeUnit(record.unit);
  const range = unit?.kind === "commit" && unit.first !== checkpoint ? { first: unit.first } : {};
  return { subject: checkpoint, ...range, of: "commit", atReopens, reason };
}

/**
 * Records whether a unit gave up when it ended; the newest comes last. Returns the same map if
 * nothing changes.
 */
export function withGaveUp(before: GaveUpUnits, key: string, now: GaveUp | undefined): GaveUpUnits {
  if (now === undefined && !before.has(key)) return before;
  const gaveUp = new Map(before);
  gaveUp.delete(key);
  return now === undefined ? gaveUp : gaveUp.set(key, now);
}

/** Returns the unit with which a role gave up on a milestone; undefined if it did not. */
export function milestoneGaveUp(
  { gaveUp }: { readonly gaveUp: GaveUpUnits },
  name: string,
): GaveUp | undefined {
  return gaveUp.get(gaveUpKey({ of: "milestone", subject: name }));
}
