import { z } from "zod";
import { Oid } from "../../base/oid.ts";
import { Reason, UnitKey, recordOf, wireJson } from "../codec/record-fields.ts";

/**
 * What a command said that a role ran itself: the command that shows a bug, or the verify commands with tests as
 * they stood before. For the writer's own memory: nobody else reads it.
 */
export const CommandResult = recordOf("command.result", {
  unit: UnitKey,
  at: Oid,
  tree: Oid,
  /** The commit whose test files lay over the tree; absent: the tree alone. */
  tests: Oid.optional(),
  /** The commit whose harness files (what tests are run by) lay over it, too. */
  harness: Oid.optional(),
  /** Digest of the commands (`commandKey`). */
  command: z.string().min(1),
  /** Key of the setup of the tree in which it ran; absent: it ran in a role's clone, and counts no more. */
  setup: z.string().min(1).optional(),
  /** `unstarted`: it could not be started, or what it starts is missing: it says nothing. */
  outcome: z.enum(["passed", "failed", "unstarted"]),
  reason: Reason.optional(),
  failing: wireJson(z.array(z.string())).optional(),
  /** What it printed is in `logs/turns/<output>.out`. */
  output: z.string().optional(),
});
export type CommandResult = z.infer<typeof CommandResult>;

/** The tester's: what it ran was the command of a bug, or of what may be one, or verify. */
export const TestersCommandResult = CommandResult.extend({
  /** Absent: not told, or verify with a failing test planted (`CANARY`). */
  of: z.enum(["bug", "verify"]).optional(),
});

/** Begins the `command` of verify with a failing test planted in the tree. */
export const CANARY = "canary:";

/** A result as it is remembered. */
export type RanCommand = Pick<
  CommandResult,
  "unit" | "setup" | "outcome" | "reason" | "failing" | "output"
>;

/** Under which a result is remembered. */
export function ranKey({
  command,
  tree,
  tests,
  harness,
}: Pick<CommandResult, "command" | "tree" | "tests" | "harness">) {
  const laid = `${command} ${tree} ${tests ?? "-"}`;
  return harness === undefined ? laid : `${laid} ${harness}`;
}
