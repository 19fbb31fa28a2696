import { LEVELS } from "../../base/choices.ts";
import { z } from "zod";
import {
  FINDING_NAMES_MAX,
  FINDING_TEXT_CHARS_MAX,
  TEST_NAME_CHARS_MAX,
} from "../../base/limits.ts";
import { Oid } from "../../base/oid.ts";
import { FindingId } from "./item-id.ts";

/** How much a finding weighs: only blocking ones hold up a milestone, unless the session is strict. */
export const Level = z.enum(LEVELS);
export type Level = z.infer<typeof Level>;

/** The level that a word names, in whatever letters. */
export function levelOf(word: string | undefined): Level | undefined {
  return Level.safeParse(word?.toLowerCase()).data;
}

const text = z.string().max(FINDING_TEXT_CHARS_MAX);

/**
 * How wisp itself computed a finding, so that it can compute it again: what of (tests that vanished or cannot fail
 * any more; old tests that fail; new tests that check nothing; tests of the session's base that fail), in which range, whose milestone's tasks excuse it.
 */
export const Computed = z.object({
  of: z.enum(["hidden", "old", "unasserted", "harness", "fewer", "verify", "base-tests"]),
  start: Oid,
  end: Oid,
  m: z.string(),
  /** Of `base-tests`: those that failed, which is all that a dismissal covers; empty where none could be told. */
  names: z.array(z.string().max(TEST_NAME_CHARS_MAX)).max(FINDING_NAMES_MAX).optional(),
});
export type Computed = z.infer<typeof Computed>;

/**
 * A reviewer's remark or a tester's bug, as it stands in the `end` record of the unit that found it.
 * `id` is made from the content (`finding-id.ts`), so that the same remark from a repeated review is
 * the same finding. All text is cleaned of control characters before it gets here.
 */
export const Finding = z.object({
  id: FindingId,
  level: Level,
  /** The reviewer that opened it, `tester`, or `human`. */
  reviewer: z.string().min(1).max(100),
  category: z.string().min(1).max(100),
  brief: z.string().min(1).max(300),
  /** Path in the repository, with `/`. */
  file: z.string().max(1_000).optional(),
  line: z.int().positive().optional(),
  issue: text,
  suggestion: text,
  /** Bugs: the command that shows it, as the tester gave it. */
  command: text.optional(),
  /** Bugs: the end of what the command printed when wisp ran it, and how it ended. */
  output: text.optional(),
  /** Of what no reviewer said but wisp computed: it is closed by computing again, and by nobody's word. */
  computed: Computed.optional(),
  /** Bugs: the reference under which tests that show it are kept, since they are red until it is fixed. */
  tests: z.string().min(1).max(1_000).optional(),
});
export type Finding = z.infer<typeof Finding>;
