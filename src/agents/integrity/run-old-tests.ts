import { join } from "node:path";
import { abbreviate, type Oid } from "../../base/oid.ts";
import { ranKey, type RanCommand } from "../../fs-protocol/command-result.ts";
import { commandKey } from "../command-key.ts";
import { failingTests } from "../failing-tests.ts";
import type { RoleContext } from "../role-context.ts";
import { tailOf, type CommandsEnd } from "../run-in-order.ts";
import { runVerify } from "../run-verify.ts";
import { clip } from "../clip.ts";
import type { OldTests } from "./lay-old-tests.ts";

/** Which tests to lay over which tree. */
export interface OldTestsRun {
  readonly unit: string;
  readonly end: Oid;
  readonly tests: OldTests;
  /** Whether everything else by which tests are run is laid over as well. */
  readonly isWithHarness: boolean;
}

export type OldTestsEnd =
  | {
      readonly kind: "ran";
      readonly outcome: RanCommand["outcome"];
      readonly reason: string;
      /** Undefined: none could be told. */
      readonly failing: readonly string[] | undefined;
      /** The end of the output, cleaned. */
      readonly tail: string;
      /** Much more of it, for a look by wisp itself. */
      readonly printed: string;
    }
  | { readonly kind: "stopped" };

/**
 * Runs the project's verify commands on the tree of `end`, in a verify tree, with test files, and what they are run
 * by, as they were before. Remembered by both.
 */
export async function runOldTests(
  context: RoleContext<"reviewer">,
  remembered: ReadonlyMap<string, RanCommand>,
  run: OldTestsRun,
): Promise<OldTestsEnd> {
  const { journal, session } = context;
  const { unit, end, tests, isWithHarness } = run;
  const command = commandKey(session.verify);
  const { tree, setup } = await context.trees.factsAt(end);
  const key = {
    command,
    tree,
    tests: tests.from,
    ...(isWithHarness ? { harness: tests.from } : {}),
  };
  const known = remembered.get(ranKey(key));
  if (known?.setup === setup) return ended(context, known);
  const time = journal.time();
  const output = `${time.replace(/[:.]/g, "-")}-old-${isWithHarness ? "harness" : "tests"}-${abbreviate(end)}`;
  const ran = await runOver(context, run, output);
  if (ran.kind === "stopped") return ran;
  const result = { ...resultOf(context, ran, output), setup };
  journal.append({
    kind: "command.result",
    time: journal.time(),
    unit,
    at: end,
    ...key,
    ...result,
  });
  return ended(context, result);
}

type Ran = CommandsEnd | { readonly kind: "unstarted"; readonly reason: string };

async function runOver(
  context: RoleContext<"reviewer">,
  { end, tests }: OldTestsRun,
  output: string,
): Promise<Ran> {
  const used = await runVerify(context, { at: end, tests, output });
  switch (used.kind) {
    case "done":
      return used.value;
    case "stopped":
      return used;
    case "unready": {
      const { stage, reason } = used;
      // Tests that no longer fit into what is built fail, as they would in a suite that builds itself.
      if (stage === "build") return { kind: "failed", reason, tail: "" };
      // A file may now be where a folder was: that is no reason to end, and no finding either.
      return { kind: "unstarted", reason: stage === "setup" ? `setup: ${reason}` : reason };
    }
  }
}

/** Of an output that is looked through for failing tests. */
const READ_CHARS_MAX = 1024 * 1024;

function resultOf(
  { home, ports }: RoleContext<"reviewer">,
  ran: Exclude<Ran, { kind: "stopped" }>,
  output: string,
): Omit<RanCommand, "unit"> {
  switch (ran.kind) {
    case "passed":
      return { outcome: "passed", reason: undefined, failing: undefined, output };
    case "unstarted":
      return {
        outcome: "unstarted",
        reason: clip(ran.reason),
        failing: undefined,
        output: undefined,
      };
    case "failed": {
      const failing = failingTests(
        tailOf(ports.files, join(home.turns, `${output}.out`), READ_CHARS_MAX),
      );
      return {
        outcome: "failed",
        reason: clip(ran.reason),
        failing: failing === undefined ? undefined : [...failing],
        output,
      };
    }
  }
}

function ended(
  { home, ports }: RoleContext<"reviewer">,
  { outcome, reason = "", failing, output }: Omit<RanCommand, "unit">,
): OldTestsEnd {
  const path = output === undefined ? undefined : join(home.turns, `${output}.out`);
  const endOf = (charsMax?: number) =>
    path === undefined ? "" : tailOf(ports.files, path, charsMax);
  const printed = endOf(READ_CHARS_MAX);
  return { kind: "ran", outcome, reason, failing, tail: endOf(), printed };
}
