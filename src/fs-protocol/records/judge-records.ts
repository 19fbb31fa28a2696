import { z } from "zod";
import { NonEmpty } from "../../base/plain-values.ts";
import { copiedRecordOf } from "./copied-at-once.ts";
import { Oid } from "../../base/oid.ts";
import { endFields } from "./common-records.ts";
import { Finding } from "./finding.ts";
import { WireInt, wireJson } from "../codec/record-fields.ts";
import { ASKS_BY_ID } from "./record-rules.ts";

/** Findings or bugs as stored in the `end` record of the unit that found them. */
export const WireFindings = wireJson(z.array(Finding));

/** The opener's verdict on the fix of its item: nothing else closes an item. */
export const VerifyEnd = copiedRecordOf(
  "verify.end",
  () => ({
    ...endFields,
    id: NonEmpty,
    attempt: WireInt,
    /**
     * How many attempts the item may have in all, if a reopen granted more than the session's limit.
     */
    max: WireInt.optional(),
    sha: Oid,
    verdict: z.enum(["closed", "reopened", "gaveup", "needs_input", "blocked"]),
    /** The maximum of attempts, if this verdict leaves the item open and it gets no more. */
    exhausted: WireInt.optional(),
    /** With `reopened`: how many fixes in a row left the lines unchanged that the item is about. */
    stale: WireInt.optional(),
    /**
     * What was judged: a fix, or the builder's claim that nothing has to change; absent if not
     * recorded.
     */
    of: z.enum(["fixed", "nochange"]).optional(),
  }),
  ASKS_BY_ID,
);
