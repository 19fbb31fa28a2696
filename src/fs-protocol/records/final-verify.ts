import { z } from "zod";

/**
 * What the verify command said of the commit that a final pass ended at: it passed; there is none; it is red
 * and no worse than at the session's base; it is worse, and a person dismissed the bug about it; it is worse.
 */
export const FinalVerify = z.enum(["passed", "nosuite", "asbase", "excused", "red"]);
export type FinalVerify = z.infer<typeof FinalVerify>;
