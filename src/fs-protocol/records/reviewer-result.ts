import { z } from "zod";
import { NonEmpty } from "../../base/plain-values.ts";
import { lateObject } from "../../base/late-object.ts";
import { Level } from "./finding.ts";

/**
 * Result of one reviewer for a range, as stored in the `review.end` of the unit. `skipped`: the
 * reviewer does not cover any changed file; `gaveup`: it was asked, but never gave a usable answer.
 */
export const ReviewerResult = lateObject(() => ({
  name: NonEmpty.max(100),
  level: Level,
  verdict: z.enum(["passed", "needs_work", "skipped", "gaveup"]),
  /** Ids of its findings; another reviewer may have reported the same. */
  ids: z.array(z.string()).optional(),
}));
export type ReviewerResult = z.infer<typeof ReviewerResult>;
