import { z } from "zod";
import { lateObject } from "../../base/late-object.ts";
import { wireJson } from "../codec/record-fields.ts";

/** The rules by which the names of failing tests are read now: each with its file and the titles around it. */
export const NAMING_RULES = 2;

/**
 * What belongs to the names of failing tests. Without it, the names were read by an older wisp: whole lines, without
 * file, titles and number; they are compared only with names of that kind.
 */
export const Tally = lateObject(() => ({
  /** By which rules the names were read (`NAMING_RULES`). Names of different rules are not the same names. */
  rules: z.int(),
  /** How often each test of `failing` failed, in its order; absent if each failed once. */
  times: z.array(z.int().positive()).optional(),
  /** Whether not all names are known: there were too many, or the output was too long. */
  isCut: z.boolean().optional(),
  /** The totals that the runners print, as far as they do. */
  passed: z.int().nonnegative().optional(),
  failed: z.int().nonnegative().optional(),
  skipped: z.int().nonnegative().optional(),
}));
export type Tally = z.infer<typeof Tally>;

/** The field of a record. */
export const WireTally = wireJson(Tally);
