import { z } from "zod";
import { NonEmpty } from "../../base/plain-values.ts";
import { Oid } from "../../base/oid.ts";
import { OPTIONAL } from "../codec/record-codec.ts";
import { Reason, WireInt, recordOf, wireJson } from "../codec/record-fields.ts";

/** Why a look says nothing about the commit. */
export const UnknownCause = z.enum(["not-started", "setup", "tree", "disk-full", "signal", "time"]);
export type UnknownCause = z.infer<typeof UnknownCause>;

/**
 * The network of a run: `own`: a loopback of its own and nothing else; `machine`: the one that the settings say, with
 * the machine's loopback.
 */
export const LookNetwork = z.enum(["own", "machine"]);
export type LookNetwork = z.infer<typeof LookNetwork>;

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
  /** The tests that were run, by identity, and nothing else; absent: the whole suite. */
  only: wireJson(z.array(z.string())).optional(),
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
  /** Absent: the sandbox leaves no choice, or an older wisp took the look. */
  network: LookNetwork.optional(),
  /** It was taken without `CI=true`, to see whether that changes anything. */
  ci: z.literal("no").optional(),
  /** Whether no other repeated look of this machine and user ran at the same time. */
  alone: z.literal("yes").optional(),
  /** How long turns of engines in this repository were waited for before it, in milliseconds; absent: not at all. */
  waited: WireInt.optional(),
  /** How many of them ran beside it when it began, since they had been waited for as long as is allowed; absent: none. */
  beside: WireInt.optional(),
  [OPTIONAL.key]: z.literal(OPTIONAL.value),
}));
export type LookRecord = z.infer<typeof LookRecord>;
