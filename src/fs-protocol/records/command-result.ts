import { z } from "zod";
import { NonEmpty } from "../../base/plain-values.ts";
import { Oid } from "../../base/oid.ts";
import { Reason, UnitKey, WireInt, recordOf, wireJson } from "../codec/record-fields.ts";
import { WireTally } from "./tally.ts";

/**
 * Result of a command that a role ran itself: the command that shows a bug, or the verify commands
 * with earlier versions of tests. A cache of the role's own; reviewer and tester also use each other's runs of old tests.
 */
export const CommandResult = recordOf("command.result", () => ({
  unit: UnitKey,
  at: Oid,
  tree: Oid,
  /** The commit whose test files overlaid the tree; absent if none did. */
  tests: Oid.optional(),
  /** The commit whose harness files (what runs the tests) overlaid it too. */
  harness: Oid.optional(),
  /** Digest of the commands (`commandKey`). */
  command: NonEmpty,
  /**
   * Key of the setup of the tree in which it ran. Absent if it ran in a role's clone; then it no
   * longer counts.
   */
  setup: NonEmpty.optional(),
  /**
   * `unstarted`: the command, or a program that it needs, could not be started; this proves
   * nothing.
   */
  outcome: z.enum(["passed", "failed", "unstarted"]),
  reason: Reason.optional(),
  failing: wireJson(z.array(z.string())).optional(),
  tally: WireTally.optional(),
  /** Its output is in `logs/turns/<output>.out`. */
  output: z.string().optional(),
  /** For verify and the commands of bugs: how many runs it took; absent: one. */
  looks: WireInt.optional(),
  /** Whether it was repeated, or repeats another run, and no other repeated run of this machine and user ran at the time. */
  alone: z.literal("yes").optional(),
  /** How long turns of engines in this repository were waited for before its repeated runs, in milliseconds; absent: not at all. */
  waited: WireInt.optional(),
  /** How many of them ran beside one of its repeated runs, at most; absent: none. */
  beside: WireInt.optional(),
  /** For verify: tests that failed in one of these looks and passed in another. */
  split: wireJson(z.array(z.string())).optional(),
}));
export type CommandResult = z.infer<typeof CommandResult>;

/** The tester's result: it ran a bug's command, a potential bug's command, or verify. */
export const TestersCommandResult = CommandResult.extend({
  /** Absent if not recorded, and for verify with a planted failing test (`CANARY`). */
  of: z.enum(["bug", "verify"]).optional(),
});

/** Prefix of `command` if verify ran with a failing test planted in the tree. */
export const CANARY = "canary:";

/**
 * Prefix of `command` if verify ran with modules that tests import overwritten by text that cannot be loaded: `failed`
 * means that it loads them from the tree, `passed` that it does not, `unstarted` that it is not known.
 */
export const SOURCE = "source:";

/**
 * Prefix of `command` if verify ran where nothing is named after wisp: `failed` means that it differs there from what it
 * is in wisp's own trees, `passed` that it does not, `unstarted` that it is not known.
 */
export const NEUTRAL = "neutral:";

/** Prefix of `command` if old tests ran without those files of their harness that may be the product. */
export const CHECKS = "checks:";

/** What follows it if they ran without data and names of modules that may be the product, too. */
export const ALONE = "alone:";

/** A result as it is cached. */
export type RanCommand = Pick<
  CommandResult,
  "unit" | "setup" | "outcome" | "reason" | "failing" | "tally" | "output" | "looks" | "split"
> &
  Partial<Pick<CommandResult, "at">>;

/** The cache key of a result. */
export function ranKey({
  command,
  tree,
  tests,
  harness,
}: Pick<CommandResult, "command" | "tree" | "tests" | "harness">) {
  const key = `${command} ${tree} ${tests ?? "-"}`;
  return harness === undefined ? key : `${key} ${harness}`;
}
