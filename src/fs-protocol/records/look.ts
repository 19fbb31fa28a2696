import { z } from "zod";
import { Level } from "./finding.ts";

/**
 * What one reviewer made of a range, as it stands in the `review.end` of the unit. `skipped`: none of the
 * changed files was for it; `gaveup`: it was asked, and never gave an answer that could be used.
 */
export const ReviewerResult = z.object({
  name: z.string().min(1).max(100),
  level: Level,
  verdict: z.enum(["passed", "needs_work", "skipped", "gaveup"]),
  /** Ids of its findings, which may be those of another reviewer, too. */
  ids: z.array(z.string()).optional(),
});
export type ReviewerResult = z.infer<typeof ReviewerResult>;
