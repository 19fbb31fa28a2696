import { z } from "zod";
import { copiedRecordOf } from "./copied-at-once.ts";
import { commonRecords, endFields } from "./common-records.ts";
import { PlanSha, WireInt, WireMilestones } from "../codec/record-fields.ts";
import { ASKS_BY_ID, STAGES_PLAN } from "./record-rules.ts";

/** `logs/planner.log`. A `plan.end` answers one boundary and one version of the request. */
export const PlannerRecord = z.discriminatedUnion("kind", [
  ...commonRecords,
  copiedRecordOf(
    "plan.end",
    () => ({
      ...endFields,
      /**
       * Ordinal of this answer in the log, from 0; the builder adopts or refuses it by this number.
       */
      seq: WireInt,
      /** How many recorded milestones the planner saw. */
      boundary: WireInt,
      /** Version of the request that it read. */
      request: WireInt,
      outcome: z.enum(["plan", "keep", "gaveup", "needs_input", "blocked"]),
      /** sha256 of the staged plan, which is the file `plans/<sha256>.md`. */
      plan: PlanSha.optional(),
      /** The plan in force that the staged one is to replace; absent before the first. */
      base: PlanSha.optional(),
      milestones: WireMilestones.optional(),
      /**
       * Where a person has to approve plans: the number of records in human.log when the plan was
       * staged. An approval that is older than the plan is no approval of it.
       */
      human: WireInt.optional(),
    }),
    ASKS_BY_ID,
    STAGES_PLAN,
  ),
]);
export type PlannerRecord = z.infer<typeof PlannerRecord>;
