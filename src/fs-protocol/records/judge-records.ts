import { z } from "zod";
import { keptRecordOf } from "./kept-at-once.ts";
import { Oid } from "../../base/oid.ts";
import { endFields } from "./common-records.ts";
import { Finding } from "./finding.ts";
import { WireInt, wireJson } from "../codec/record-fields.ts";
import { ASKS_BY_ID } from "./record-rules.ts";

/** Findings or bugs as they ride in the `end` of the unit that found them. */
export const WireFindings = wireJson(z.array(Finding));

/** A look at the fix of an item of one's own: the only thing that closes it. */
export const VerifyEnd = keptRecordOf("verify.end", {
  ...endFields,
  id: z.string().min(1),
  attempt: WireInt,
  /** How many attempts the item may have in all, where a reopen granted more than the session's limit. */
  max: WireInt.optional(),
  sha: Oid,
  verdict: z.enum(["closed", "reopened", "gaveup", "needs_input", "blocked"]),
  /** How many attempts there may be, where this verdict leaves an item open that gets no more. */
  exhausted: WireInt.optional(),
  /** With `reopened`: so often in a row a fix has left the lines as they were that the item is about. */
  stale: WireInt.optional(),
  /** What was looked at: a fix, or the builder's word that nothing is to be changed; absent: not told. */
  of: z.enum(["fixed", "nochange"]).optional(),
}).refine(ASKS_BY_ID.holds, ASKS_BY_ID);
