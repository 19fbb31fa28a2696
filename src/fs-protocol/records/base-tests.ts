import { z } from "zod";
import { PositiveInt } from "../../base/plain-values.ts";
import { lateObject } from "../../base/late-object.ts";
import { FINDING_NAMES_MAX, TEST_NAME_CHARS_MAX } from "../../base/limits.ts";
import { wireJson } from "../codec/record-fields.ts";

/**
 * Tests in the state that they had at the session's base, which failed at the end of a final pass,
 * and why: they show a bug; the request asks for it; a person dismissed it; they could not be
 * loaded, which proves nothing; or the reason is unknown.
 */
export const BaseTests = lateObject(() => ({
  what: z.enum(["bug", "asked", "dismissed", "unloaded", "unknown"]),
  /** Path in the repository; absent if unknown. */
  file: z.string().max(1_000).optional(),
  /** The first of the failing tests' names; empty if none could be determined. */
  names: z.array(z.string().max(TEST_NAME_CHARS_MAX)).max(FINDING_NAMES_MAX),
  /** How many more names there are. */
  more: PositiveInt.optional(),
  /** The request's text, the person's reason, or the command's output, on one line. */
  why: z.string().max(300).optional(),
}));
export type BaseTests = z.infer<typeof BaseTests>;

/** The maximum number of files listed one by one. */
export const BASE_TESTS_MAX = 30;

/** As stored in `final.end`. */
export const WireBaseTests = wireJson(z.array(BaseTests).max(BASE_TESTS_MAX));
