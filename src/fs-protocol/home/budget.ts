import { z } from "zod";

/** What may be used before no further turn starts; an absent limit does not apply. */
export const Budget = z.object({
  /** US dollars, as far as engines report them. */
  usd: z.number().positive().optional(),
  turns: z.int().positive().optional(),
  /** Input and output, cached ones included. */
  tokens: z.int().positive().optional(),
  /** The total of all turns, in milliseconds. */
  durationMs: z.int().positive().optional(),
});
export type Budget = z.infer<typeof Budget>;
