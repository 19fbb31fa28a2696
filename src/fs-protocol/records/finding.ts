import { LEVELS } from "../../base/choices.ts";
import { z } from "zod";
import { NonEmpty, PositiveInt } from "../../base/plain-values.ts";
import { lateObject } from "../../base/late-object.ts";
import {
  FINDING_NAMES_MAX,
  FINDING_TEXT_CHARS_MAX,
  TEST_NAME_CHARS_MAX,
} from "../../base/limits.ts";
import { Oid } from "../../base/oid.ts";
import { FindingId } from "./item-id.ts";

/**
 * How serious a finding is: only blocking ones hold up a milestone, unless the session is strict.
 */
export const Level = z.enum(LEVELS);
export type Level = z.infer<typeof Level>;

/** Parses a level, ignoring case. */
export function levelOf(word: string | undefined): Level | undefined {
  return Level.safeParse(word?.toLowerCase()).data;
}

const text = z.string().max(FINDING_TEXT_CHARS_MAX);

/**
 * How wisp itself computed a finding, so that it can compute it again: what about (tests that
 * vanished or can no longer fail; old tests that fail; new tests that check nothing; tests of the
 * session's base that fail; tests that became unsteady), in which range, and whose milestone's tasks excuse it.
 */
export const Computed = lateObject(() => ({
  of: z.enum([
    "hidden",
    "old",
    "unasserted",
    "harness",
    "fewer",
    "verify",
    "base-tests",
    "unsteady",
  ]),
  start: Oid,
  end: Oid,
  m: z.string(),
  /**
   * For `base-tests`: the failing tests, which are all that a dismissal covers; empty if none could
   * be determined. For `unsteady`: the test.
   */
  names: z.array(z.string().max(TEST_NAME_CHARS_MAX)).max(FINDING_NAMES_MAX).optional(),
}));
export type Computed = z.infer<typeof Computed>;

/**
 * A reviewer's remark or a tester's bug, as stored in the `end` record of the unit that found it.
 * `id` is derived from the content (`finding-id.ts`), so that a repeated review's same remark is
 * the same finding. All text is already cleaned of control characters.
 */
export const Finding = lateObject(() => ({
  id: FindingId,
  level: Level,
  /** The reviewer that opened it, `tester`, or `human`. */
  reviewer: NonEmpty.max(100),
  category: NonEmpty.max(100),
  brief: NonEmpty.max(300),
  /** Path in the repository, with `/`. */
  file: z.string().max(1_000).optional(),
  line: PositiveInt.optional(),
  issue: text,
  suggestion: text,
  /** Bugs: the command that shows it, as the tester gave it. */
  command: text.optional(),
  /** Bugs: the end of the command's output when wisp ran it, and how it ended. */
  output: text.optional(),
  /**
   * Set if wisp computed the finding rather than a reviewer: then only computing it again can close
   * it.
   */
  computed: Computed.optional(),
  /**
   * Bugs: the ref that holds the tests that show it; they stay off the branch, since they are red
   * until it is fixed.
   */
  tests: NonEmpty.max(1_000).optional(),
}));
export type Finding = z.infer<typeof Finding>;
