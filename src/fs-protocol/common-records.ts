import { z } from "zod";
import { Oid } from "../base/oid.ts";
import { Reason, RecordTime, UnitKey, WireInt } from "./record-fields.ts";

/**
 * Records that every role writes. Only those about the open unit matter, and only to the writer's
 * own recovery: nobody else reads them (coordination, principle 3). The rest is for people.
 */
export const commonRecords = [
  /** The role's process started and holds its lease. */
  z.strictObject({ kind: z.literal("role.start"), time: RecordTime, pid: WireInt }),
  /** The role's process ends by itself. */
  z.strictObject({ kind: z.literal("role.end"), time: RecordTime, reason: Reason }),
  /** A unit was taken. `base`: HEAD of the hub as the unit saw it. */
  z.strictObject({
    kind: z.literal("unit.begin"),
    time: RecordTime,
    unit: UnitKey,
    base: Oid.optional(),
  }),
  /** An interrupted unit was looked at after a restart; `rescue`: the ref that holds what was saved. */
  z.strictObject({
    kind: z.literal("unit.recover"),
    time: RecordTime,
    unit: UnitKey,
    found: z.enum(["published", "committed", "nothing"]),
    rescue: z.string().optional(),
  }),
  /** An engine was started for the open unit. */
  z.strictObject({
    kind: z.literal("turn.begin"),
    time: RecordTime,
    unit: UnitKey,
    purpose: z.string(),
    attempt: WireInt,
    engine: z.string(),
    output: z.string(),
  }),
  /** It ended. */
  z.strictObject({
    kind: z.literal("turn.end"),
    time: RecordTime,
    unit: UnitKey,
    outcome: z.enum(["ended", "needs-input", "blocked", "failed", "stopped"]),
    reason: Reason.optional(),
  }),
  /** An attempt at the open unit came to nothing; counted across restarts, up to the policy's bound. */
  z.strictObject({
    kind: z.literal("attempt.failed"),
    time: RecordTime,
    unit: UnitKey,
    reason: Reason,
  }),
  /** The open unit cannot go on for now: a state of the world, never an attempt. */
  z.strictObject({ kind: z.literal("unit.wait"), time: RecordTime, unit: UnitKey, reason: Reason }),
  /** A sentence for people. */
  z.strictObject({ kind: z.literal("note"), time: RecordTime, text: Reason }),
] as const;

/** Outcome fields that any ended unit may carry. */
export const endFields = {
  time: RecordTime,
  unit: UnitKey,
  reason: Reason.optional(),
  /** `gaveup`: how many reopens the role had seen. */
  reopens: WireInt.optional(),
  /** `needs_input` and `blocked`: id and words of the question. */
  question: z.string().optional(),
  ask: Reason.optional(),
};
