import { z } from "zod";
import { keptRecordOf } from "./kept-at-once.ts";
import { REFUSED_CHARS_MAX } from "../../base/limits.ts";
import { FailureClass } from "./failure-class.ts";
import {
  Reason,
  RecordTime,
  UnitKey,
  WireInt,
  recordOf,
  wireJson,
} from "../codec/record-fields.ts";
import { Tokens, TurnUsage } from "./turn-usage.ts";

/** US dollars on the wire: digits, and a fraction of up to nine. */
const WireUsd = z.codec(z.string().regex(/^\d{1,9}(?:\.\d{1,9})?$/), z.number().nonnegative(), {
  decode: Number,
  encode: (value) => String(Number(value.toFixed(9))),
});

/** An engine's own id of a session, or the name of a model, as it gave it. */
const Given = z.string().min(1).max(200);

/** Refused calls by name, as one line; `REFUSED_CHARS_MAX` at most. */
const Refused = z.string().min(1).max(REFUSED_CHARS_MAX);

/** Why an engine is not to be asked for now. */
export const HoldCause = FailureClass.extract(["auth", "limited", "overloaded", "network"]);
export type HoldCause = z.infer<typeof HoldCause>;

/** The records of an engine's turns; every role writes them into its own log. */
export const turnRecords = [
  /**
   * An engine was started for the open unit. `m`: the milestone that the turn is counted for. `part`:
   * which of several turns of one attempt. `resume`: the session of the engine that goes on. `output`:
   * where its raw output is; no two turns have the same.
   */
  keptRecordOf("turn.begin", {
    unit: UnitKey,
    purpose: z.string(),
    attempt: WireInt,
    engine: z.string(),
    m: z.string().min(1).optional(),
    part: z.string().min(1).optional(),
    resume: Given.optional(),
    output: z.string(),
  }),
  /**
   * It ended; `stopped` also when the role's process was killed in its midst. `session`: what the engine can resume. `cost` (US dollars) and `tokens` are those of this
   * turn alone; left out where unknown. `reported`: the sums of the engine's session that they were taken
   * from, where the engine reports no others. `denied`: how many calls of tools were refused, `refused`: which.
   */
  keptRecordOf("turn.end", {
    unit: UnitKey,
    output: z.string(),
    outcome: z.enum(["ended", "needs-input", "blocked", "failed", "stopped"]),
    failure: FailureClass.optional(),
    session: Given.optional(),
    model: Given.optional(),
    cost: WireUsd.optional(),
    tokens: wireJson(Tokens).optional(),
    reported: wireJson(TurnUsage).optional(),
    denied: WireInt.optional(),
    refused: Refused.optional(),
    reason: Reason.optional(),
  }),
  /**
   * An engine is not to be asked before `until`, by any role; without `until` (`auth`) not before a person
   * says `resume` or `restart`. Both end any such hold, but for a `resume` that takes a stop back: that ends
   * only those without `until`. `human`: how many records of human.log had been
   * read by then.
   */
  recordOf("limited", {
    engine: z.string(),
    cause: HoldCause,
    until: RecordTime.optional(),
    human: WireInt,
    reason: Reason,
  }),
] as const;
