import { z } from "zod";
import { Oid } from "../base/oid.ts";
import { commonRecords, endFields } from "./common-records.ts";
import { Finding } from "./finding.ts";
import { VerifyEnd, WireFindings } from "./judge-records.ts";
import { RecordTime, wireJson, WireInt } from "./record-fields.ts";

/** `logs/reviewer.log`: checkpoint and findings are one append. */
export const ReviewerRecord = z.discriminatedUnion("kind", [
  ...commonRecords,
  z.strictObject({
    kind: z.literal("review.end"),
    ...endFields,
    /** Of a commit unit: the commit up to which everything is reviewed. */
    checkpoint: Oid.optional(),
    /** Of a milestone unit: its name. */
    m: z.string().optional(),
    /** `covered`: a verdict on the fix counts as its review; `filtered`: no reviewer is for it. */
    outcome: z.enum(["reviewed", "covered", "filtered", "gaveup", "needs_input", "blocked"]),
    findings: WireFindings,
  }),
  VerifyEnd,
  /** A person's `add` or `dismiss`, record number `human` (from 0) of human.log, taken over. */
  z.strictObject({
    kind: z.literal("adopt.end"),
    time: RecordTime,
    human: WireInt,
    finding: wireJson(Finding).optional(),
    dismiss: z.string().optional(),
  }),
]);
export type ReviewerRecord = z.infer<typeof ReviewerRecord>;
