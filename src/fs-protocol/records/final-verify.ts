import { z } from "zod";

/**
 * Result of verify at the commit that a final pass ended at: it passed; there is no suite; it is
 * red, but no worse than at the session's base; it is worse, but a person dismissed the bug about
 * that; or it is worse.
 */
export const FinalVerify = z.enum(["passed", "nosuite", "asbase", "excused", "red"]);
export type FinalVerify = z.infer<typeof FinalVerify>;
