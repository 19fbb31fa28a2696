import { z } from "zod";
import { PositiveInt } from "../../base/plain-values.ts";
import { lateObject } from "../../base/late-object.ts";

/** What may be used before no further turn starts; an absent limit does not apply. */
export const Budget = lateObject(() => ({
  /** US dollars, as far as engines report them. */
  usd: z.number().positive().optional(),
  turns: PositiveInt.optional(),
  /** Input and output, cached ones included. */
  tokens: PositiveInt.optional(),
  /** The total of all turns, in milliseconds. */
  durationMs: PositiveInt.optional(),
}));
export type Budget = z.infer<typeof Budget>;
