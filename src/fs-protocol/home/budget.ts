import { z } from "zod";

/** What may be used before no further turn is started; absent: without a limit. */
export const Budget = z.object({
  /** US dollars, as far as engines tell them. */
  usd: z.number().positive().optional(),
  turns: z.int().positive().optional(),
  /** Input and output, cached ones included. */
  tokens: z.int().positive().optional(),
  /** Of all turns added up, in milliseconds. */
  durationMs: z.int().positive().optional(),
});
export type Budget = z.infer<typeof Budget>;
