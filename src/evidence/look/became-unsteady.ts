import { SPLIT_END_LOOKS, SPLIT_START_LOOKS_MAX } from "../../base/look-limits.ts";
import type { AloneLooks } from "../../fs-protocol/records/alone-looks.ts";

/** What looks at a split test alone showed at both ends of a range. */
export interface SplitSeen {
  readonly end: AloneLooks;
  readonly start: AloneLooks;
}

/** What a test that is split at a tree showed there before it is looked at alone: it failed once, and passed once. */
export const AS_SPLIT: AloneLooks = { green: 1, red: 1, unknown: 0 };

/** The looks before and after, together. */
export function addedLooks(one: AloneLooks, other: AloneLooks): AloneLooks {
  return {
    green: one.green + other.green,
    red: one.red + other.red,
    unknown: one.unknown + other.unknown,
  };
}

/** What the looks say of a split test. */
export type SplitVerdict =
  /** One more look is needed, at this end. */
  | { readonly kind: "again"; readonly at: keyof SplitSeen }
  /** It was red at the start as well: the range is not to blame. */
  | { readonly kind: "before" }
  /** It was always green at the start; `isOften`: at the end it was red in half of the looks or more. */
  | { readonly kind: "became"; readonly isOften: boolean }
  /** It does not run alone at the end, or not at the start. */
  | { readonly kind: "unknown"; readonly at: keyof SplitSeen };

/**
 * Whether a test that is red in one look and green in another one at the end of a range became so in the range. Ten looks
 * at the end, with those that showed it, say how often it fails there; at the start it is looked at until it is red once, at most twenty times. Pure.
 */
export function splitVerdict({ end, start }: SplitSeen): SplitVerdict {
  if (end.unknown > 0) return { kind: "unknown", at: "end" };
  if (end.red + end.green < SPLIT_END_LOOKS) return { kind: "again", at: "end" };
  if (start.red > 0) return { kind: "before" };
  if (start.unknown > 0) return { kind: "unknown", at: "start" };
  if (start.green < SPLIT_START_LOOKS_MAX) return { kind: "again", at: "start" };
  return { kind: "became", isOften: 2 * end.red >= SPLIT_END_LOOKS };
}
