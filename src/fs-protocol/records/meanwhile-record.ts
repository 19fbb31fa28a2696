import { z } from "zod";
import { Reason, UnitKey, recordOf } from "../codec/record-fields.ts";

const facts = {
  /** Full name of a reference, a path below the git directory, or `logs/human.log`. */
  place: Reason.min(1),
  how: z.enum(["added", "changed", "removed", "said"]),
  /** Of references: what they named before, and name now. Of `said`: the words. */
  was: Reason.optional(),
  now: Reason.optional(),
  /** The reference that keeps what was there, where nothing else does. */
  rescue: z.string().optional(),
};

/**
 * While a turn ran that no sandbox confined, somebody changed the user's repository or spoke for a person:
 * its engine, or a person. Nothing is undone, and nothing follows from it but that people are told.
 */
export const MeanwhileRecord = recordOf("meanwhile", {
  unit: UnitKey,
  ...facts,
});

/** What such a record tells. */
export type MeanwhileFact = z.infer<z.ZodObject<typeof facts>>;
