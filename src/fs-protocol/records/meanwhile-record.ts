import { z } from "zod";
import { Reason, UnitKey, recordOf } from "../codec/record-fields.ts";

const facts = {
  /**
   * Full name of a ref, a path below the git directory, `logs/human.log`, `./` and a path in the checkout, or `commit` and
   * the id of one that came onto the session branch, which `now` names, although no role recorded it.
   */
  place: Reason.min(1),
  how: z.enum(["added", "changed", "removed", "said"]),
  /** For refs: what they pointed to before and point to now. For `said`: the text. */
  was: Reason.optional(),
  now: Reason.optional(),
  /** A command ran, and not a turn. */
  during: z.literal("command").optional(),
  /** The ref that keeps the former content, if nothing else does. */
  rescue: z.string().optional(),
};

/**
 * While a turn or a command ran without a sandbox, it or a person changed the user's repository, or wrote to
 * human.log. Nothing is undone; the record's only purpose is to inform people.
 */
export const MeanwhileRecord = recordOf("meanwhile", () => ({
  unit: UnitKey,
  ...facts,
}));

/** The facts of such a record. */
export type MeanwhileFact = z.infer<z.ZodObject<typeof facts>>;
