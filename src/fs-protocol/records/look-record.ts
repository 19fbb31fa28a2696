import { z } from "zod";
import { NonEmpty } from "../../base/plain-values.ts";
import { Oid } from "../../base/oid.ts";
import { OPTIONAL } from "../codec/record-codec.ts";
import { Reason, WireInt, recordOf } from "../codec/record-fields.ts";

/** Why a look says nothing about the commit. */
export const UnknownCause = z.enum(["not-started", "setup", "tree", "disk-full", "signal", "time"]);
export type UnknownCause = z.infer<typeof UnknownCause>;

/**
 * One look: one run of the verify commands at one tree, and what it shows. For people and for the account of how a
 * verdict came about: it folds into nothing, and what is decided is in other records.
 */
export const LookRecord = recordOf("look", () => ({
  at: Oid,
  tree: Oid,
  /** Digest of the commands (`commandKey`). */
  command: NonEmpty,
  /** The number of the look among those that decide together, from 1. */
  n: WireInt,
  /** `none`: there is no test, nor was there one before. */
  verdict: z.enum(["green", "red", "unknown", "none"]),
  cause: UnknownCause.optional(),
  reason: Reason.optional(),
  /** How long the commands ran, in milliseconds. */
  took: WireInt.optional(),
  /** How many tests ran, by the runner's own summary. */
  ran: WireInt.optional(),
  /** Its output is in `logs/turns/<output>.out`. */
  output: z.string().optional(),
  /** Whether no other repeated look of this machine and user ran at the same time. */
  alone: z.literal("yes").optional(),
  [OPTIONAL.key]: z.literal(OPTIONAL.value),
}));
export type LookRecord = z.infer<typeof LookRecord>;
