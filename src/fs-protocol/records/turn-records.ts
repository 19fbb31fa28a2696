import { z } from "zod";
import { NonEmpty } from "../../base/plain-values.ts";
import { copiedRecordOf } from "./copied-at-once.ts";
import { REFUSED_CHARS_MAX } from "../../base/limits.ts";
import { FailureClass, FailureEvidence } from "./failure-class.ts";
import {
  Reason,
  RecordTime,
  UnitKey,
  WireInt,
  recordOf,
  wireJson,
} from "../codec/record-fields.ts";
import { Tokens, TurnUsage } from "./turn-usage.ts";

/** US dollars on the wire: digits, with up to nine decimals. */
const WireUsd = z.codec(z.string().regex(/^\d{1,9}(?:\.\d{1,9})?$/), z.number().nonnegative(), {
  decode: Number,
  encode: (value) => String(Number(value.toFixed(9))),
});

/** An engine's own session id, or a model's name, as the engine gave it. */
const Given = NonEmpty.max(200);

/** Names of refused tool calls, on one line of at most `REFUSED_CHARS_MAX`. */
const Refused = NonEmpty.max(REFUSED_CHARS_MAX);

/** Why an engine must not be asked for now. */
export const HoldCause = FailureClass.extract(["auth", "limited", "overloaded", "network"]);
export type HoldCause = z.infer<typeof HoldCause>;

/** Where the end of a limit is from: the engine said it, or it is wisp's guess. */
export const HoldEnd = z.enum(["said", "guessed"]);
export type HoldEnd = z.infer<typeof HoldEnd>;

/** The records of an engine's turns; every role writes them into its own log. */
export const turnRecords = [
  /**
   * An engine was started for the open unit. `model`: the one that it is asked for; without it, the engine chooses.
   * `stalled`: for a build, how many of the latest attempts at its milestone made no progress, if any did.
   * `m`: the milestone that the turn counts toward.
   * `part`: which of several turns of one attempt. `resume`: the engine's session that continues.
   * `output`: where its raw output is; no two turns share one.
   */
  copiedRecordOf("turn.begin", () => ({
    unit: UnitKey,
    purpose: z.string(),
    attempt: WireInt,
    engine: z.string(),
    model: Given.optional(),
    stalled: WireInt.optional(),
    m: NonEmpty.optional(),
    part: NonEmpty.optional(),
    resume: Given.optional(),
    output: z.string(),
  })),
  /**
   * The turn ended; `stopped` also if the role's process was killed during the turn. `session`:
   * what the engine can resume. `cost` (US dollars) and `tokens` are those of this turn alone;
   * omitted if unknown. `reported`: the totals of the engine's session that they were computed
   * from, if the engine reports only totals. `denied`: how many tool calls were refused, `refused`:
   * which.
   */
  copiedRecordOf("turn.end", () => ({
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
  })),
  /**
   * No role may ask an engine before `until`; without `until` (`auth`), not before a person enters
   * `resume` or `restart`. Both end any such hold, except that a `resume` which takes back a stop
   * ends only those without `until`. `human`: how many records of human.log had been read by then. `end`: whether the
   * engine said when its limit ends, or that is a guess. `evidence`: what the cause was recognized by. `of=model`:
   * only turns that ask for this `model` are concerned, without it only those that leave it to the engine.
   */
  recordOf("limited", () => ({
    engine: z.string(),
    of: z.literal("model").optional(),
    model: Given.optional(),
    cause: HoldCause,
    until: RecordTime.optional(),
    end: HoldEnd.optional(),
    evidence: FailureEvidence.optional(),
    human: WireInt,
    reason: Reason,
  })),
] as const;
