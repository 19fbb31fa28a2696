import { z } from "zod";
import { NonEmpty } from "../../base/plain-values.ts";
import { copiedRecordOf } from "./copied-at-once.ts";
import { Oid } from "../../base/oid.ts";
import { CommandResult } from "./command-result.ts";
import { commonRecords, endFields } from "./common-records.ts";
import { DivergenceRecord } from "./divergence.ts";
import { Finding } from "./finding.ts";
import { VerifyEnd, WireFindings } from "./judge-records.ts";
import { ReviewerResult } from "./reviewer-result.ts";
import { Reason, WireInt, wireJson } from "../codec/record-fields.ts";
import { ADDS_NO_BUG, ADOPTS_ONE, ASKS_BY_ID, FINDS_NO_BUGS, REVIEWS_ONE } from "./record-rules.ts";

/** `logs/reviewer.log`: checkpoint and findings are one append. */
export const ReviewerRecord = z.discriminatedUnion("kind", [
  ...commonRecords,
  DivergenceRecord,
  copiedRecordOf(
    "review.end",
    () => ({
      ...endFields,
      /**
       * For a commit unit, and for a milestone whose commits it covers: the commit up to which
       * everything is reviewed.
       */
      checkpoint: Oid.optional(),
      /** For a milestone unit: its name. */
      m: NonEmpty.optional(),
      /**
       * `covered`: the verdict on the fix counts as the commit's review; `filtered`: no reviewer
       * covers it, or it is empty.
       */
      outcome: z.enum(["reviewed", "covered", "filtered", "gaveup", "needs_input", "blocked"]),
      findings: WireFindings,
      /** Which reviewers ran and which did not; absent if none was asked. */
      reviewers: wireJson(z.array(ReviewerResult)).optional(),
    }),
    ASKS_BY_ID,
    REVIEWS_ONE,
    FINDS_NO_BUGS,
  ),
  VerifyEnd,
  CommandResult,
  /**
   * The reviewer adopted a person's `add` or `dismiss`, record number `human` (from 0) of
   * human.log.
   */
  copiedRecordOf(
    "adopt.end",
    () => ({
      human: WireInt,
      finding: wireJson(Finding).optional(),
      dismiss: NonEmpty.optional(),
      /** For a dismissal: the person's reason. */
      why: Reason.optional(),
    }),
    ADOPTS_ONE,
    ADDS_NO_BUG,
  ),
]);
export type ReviewerRecord = z.infer<typeof ReviewerRecord>;
