import type { Oid } from "../../base/oid.ts";

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
