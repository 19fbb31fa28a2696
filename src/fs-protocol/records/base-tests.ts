import { z } from "zod";
import { FINDING_NAMES_MAX, TEST_NAME_CHARS_MAX } from "../../base/limits.ts";
import { wireJson } from "../codec/record-fields.ts";

/**
 * Tests as they stood at the session's base that a final pass saw fail at its end, and what that means: a bug; the
 * request asks for it; a person dismissed it; they could not be loaded, which says nothing; it could not be told.
 */
export const BaseTests = z.object({
  what: z.enum(["bug", "asked", "dismissed", "unloaded", "unknown"]),
  /** Path in the repository; absent: it is not known which. */
  file: z.string().max(1_000).optional(),
  /** Of the failing tests, the first ones; empty where none could be told. */
  names: z.array(z.string().max(TEST_NAME_CHARS_MAX)).max(FINDING_NAMES_MAX),
  /** So many more of them. */
  more: z.int().positive().optional(),
  /** The words of the request, the person's reason, or what was printed: one line. */
  why: z.string().max(300).optional(),
});
export type BaseTests = z.infer<typeof BaseTests>;

/** As many files are told one by one. */
export const BASE_TESTS_MAX = 30;

/** As they ride in `final.end`. */
export const WireBaseTests = wireJson(z.array(BaseTests).max(BASE_TESTS_MAX));
