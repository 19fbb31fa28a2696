import { join } from "node:path";
import { abbreviate, type Oid } from "../../base/oid.ts";
import { CHECKS, ranKey, type RanCommand } from "../../fs-protocol/records/command-result.ts";
import type { RunBy } from "../harness/old-tests.ts";
import { commandKey } from "../verify/command-key.ts";
import { failingTests } from "../verify/failing-tests.ts";
import type { RoleContext } from "../../work/role-context.ts";
import { cleanedTail, type CommandsEnd } from "../../work/run-in-order.ts";
import { runVerify } from "../verify/run-verify.ts";
import { clip } from "../../work/clip.ts";
import type { OldTests } from "../../work/verify-trees.ts";

/** Which tests to overlay on which tree. */
export interface OldTestsRun {
  readonly unit: string;
  readonly end: Oid;
  readonly tests: OldTests;
  /** What else is overlaid: the harness, by which tests run. */
  readonly by: RunBy;
  /** Whether this is a second run, which tells whether a failure is repeatable. */
  readonly isAgain?: boolean | undefined;
}

/** The context of a role that records the results of its commands, to reuse them. */
export type RecordingContext = RoleContext<"builder" | "reviewer" | "tester">;

export type OldTestsEnd =
  | {
      readonly kind: "ran";
      readonly outcome: RanCommand["outcome"];
      readonly reason: string;
      /** Undefined if no names are known. */
      readonly failing: readonly string[] | undefined;
      /** The end of the output, cleaned. */
      readonly tail: string;
      /** A much longer end of the output, for wisp's own analysis. */
      readonly printed: string;
    }
  | { readonly kind: "stopped" };

/**
 * Runs the project's verify commands in a verify tree of `end`, with test files, and what runs them, from an
 * earlier commit. The result is recorded and reused for the same tree and the same tests.
 */
export async function runOldTests(
  context: RecordingContext,
  remembered: ReadonlyMap<string, RanCommand>,
  run: OldTestsRun,
): Promise<OldTestsEnd> {
  const { journal } = context;
  const { unit, end, by, isAgain = false } = run;
  const { tree, setup } = await context.trees.factsAt(end);
  const key = oldTestsKey(context, run, tree);
  const known = remembered.get(ranKey(key));
  if (known?.setup === setup) return ended(context, known);
  const time = journal.time();
  const what = `${NAMES[by]}${isAgain ? "-again" : ""}`;
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

const NAMES: Readonly<Record<RunBy, string>> = {
  "old-harness": "harness",
  "old-checks": "checks",
  "new-harness": "tests",
};

/** The prefix keeps the record of a second run apart from that of the first. */
const AGAIN = "again:";

/** The key of the record of such a run. */
export function oldTestsKey(
  { session }: Pick<RecordingContext, "session">,
  { tests, by, isAgain = false }: Omit<OldTestsRun, "unit" | "end">,
  tree: Oid,
) {
  const prefix = `${isAgain ? AGAIN : ""}${by === "old-checks" ? CHECKS : ""}`;
  return {
    command: `${prefix}${commandKey(session.verify)}`,
    tree,
    tests: tests.from,
    ...(by === "new-harness" ? {} : { harness: tests.from }),
  };
}

type Ran = CommandsEnd | { readonly kind: "unstarted"; readonly reason: string };

async function runOver(
  context: RecordingContext,
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
      // Old tests that break the build count as failing, as in a suite that builds itself.
      if (stage === "build") return { kind: "failed", reason, tail: "" };
      // For example, a file may now be where a folder was: neither a reason to end nor a finding.
      return { kind: "unstarted", reason: stage === "setup" ? `setup: ${reason}` : reason };
    }
  }
}

/** How much of the output is searched for failing tests. */
const READ_CHARS_MAX = 1024 * 1024;

function resultOf(
  { home, ports }: RecordingContext,
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
  { home, ports }: RecordingContext,
  { outcome, reason = "", failing, output }: Omit<RanCommand, "unit">,
): OldTestsEnd {
  const path = output === undefined ? undefined : join(home.turns, `${output}.out`);
  const endOf = (charsMax?: number) =>
    path === undefined ? "" : cleanedTail(ports.files, path, charsMax);
  const printed = endOf(READ_CHARS_MAX);
  return { kind: "ran", outcome, reason, failing, tail: endOf(), printed };
}
