import { join } from "node:path";
import { abbreviate, type Oid } from "../../base/oid.ts";
import { ranKey, type RanCommand } from "../../fs-protocol/records/command-result.ts";
import { commandKey } from "../verify/command-key.ts";
import { failingTests } from "../verify/failing-tests.ts";
import type { RoleContext } from "../work/role-context.ts";
import { cleanedTail, type CommandsEnd } from "../work/run-in-order.ts";
import { runVerify } from "../verify/run-verify.ts";
import { clip } from "../work/clip.ts";
import type { OldTests } from "./lay-old-tests.ts";

/** Which tests to lay over which tree. */
export interface OldTestsRun {
  readonly unit: string;
  readonly end: Oid;
  readonly tests: OldTests;
  /** Whether everything else by which tests are run is laid over as well. */
  readonly isWithHarness: boolean;
  /** Whether they are run once more, to tell whether what failed does so each time. */
  readonly isAgain?: boolean | undefined;
}

/** A role that puts on record what it ran, for its own memory. */
export type Remembering = RoleContext<"builder" | "reviewer" | "tester">;

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
  context: Remembering,
  remembered: ReadonlyMap<string, RanCommand>,
  run: OldTestsRun,
): Promise<OldTestsEnd> {
  const { journal } = context;
  const { unit, end, isWithHarness, isAgain = false } = run;
  const { tree, setup } = await context.trees.factsAt(end);
  const key = oldTestsKey(context, run, tree);
  const known = remembered.get(ranKey(key));
  if (known?.setup === setup) return ended(context, known);
  const time = journal.time();
  const what = `${isWithHarness ? "harness" : "tests"}${isAgain ? "-again" : ""}`;
  const output = `${time.replace(/[:.]/g, "-")}-old-${what}-${abbreviate(end)}`;
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

/** No key of verify begins like that: what was run once more counts beside what was run first. */
const AGAIN = "again:";

/** Under which such a run is remembered. */
export function oldTestsKey(
  { session }: Pick<Remembering, "session">,
  { tests, isWithHarness, isAgain = false }: Omit<OldTestsRun, "unit" | "end">,
  tree: Oid,
) {
  return {
    command: `${isAgain ? AGAIN : ""}${commandKey(session.verify)}`,
    tree,
    tests: tests.from,
    ...(isWithHarness ? { harness: tests.from } : {}),
  };
}

type Ran = CommandsEnd | { readonly kind: "unstarted"; readonly reason: string };

async function runOver(
  context: Remembering,
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
  { home, ports }: Remembering,
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
        cleanedTail(ports.files, join(home.turns, `${output}.out`), READ_CHARS_MAX),
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
  { home, ports }: Remembering,
  { outcome, reason = "", failing, output }: Omit<RanCommand, "unit">,
): OldTestsEnd {
  const path = output === undefined ? undefined : join(home.turns, `${output}.out`);
  const endOf = (charsMax?: number) =>
    path === undefined ? "" : cleanedTail(ports.files, path, charsMax);
  const printed = endOf(READ_CHARS_MAX);
  return { kind: "ran", outcome, reason, failing, tail: endOf(), printed };
}
