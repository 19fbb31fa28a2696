import { join } from "node:path";
import { need } from "../../base/fatal.ts";
import { UNKNOWN_REPEATS_MAX } from "../../base/look-limits.ts";
import { abbreviate, type Oid } from "../../base/oid.ts";
import {
  ALONE,
  CHECKS,
  ranKey,
  type RanCommand,
} from "../../fs-protocol/records/command-result.ts";
import type { RunBy } from "../harness/old-tests.ts";
import type { SessionState } from "../../session/state/session-state.ts";
import { commandKey } from "../verify/command-key.ts";
import type { RedOutput } from "../verify/failure-report.ts";
import { readFailures } from "../verify/read-failures.ts";
import { redOutput } from "../verify/red-output.ts";
import type { RoleContext } from "../../work/role-context.ts";
import { cleanedTail } from "../../work/run-in-order.ts";
import { allAlone, type Alone } from "../look/alone-here.ts";
import { judgeRun, type RunVerdict } from "../look/judge-run.ts";
import { networkAt } from "../look/kept-network.ts";
import { Repeats } from "../look/repeats.ts";
import { aloneFields } from "../look/take-look.ts";
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
  /** The number of the repeat, which tells whether a failure is repeatable; absent: this is the first run. */
  readonly again?: number | undefined;
  /** The runs with which it decides; absent: it decides alone. */
  readonly repeats?: Repeats | undefined;
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
      readonly tally: RanCommand["tally"];
      /** What failed, for people and engines. */
      readonly red: RedOutput;
      /** A long end of the output, for wisp's own analysis. */
      readonly printed: string;
    }
  | { readonly kind: "stopped" }
  /** The runs say nothing about the commit, for a reason that passes: this is not recorded. */
  | { readonly kind: "unknown"; readonly reason: string };

/**
 * Runs the project's verify commands in a verify tree of `end`, with test files, and what runs them, from an
 * earlier commit. The result is recorded and reused for the same tree and the same tests. A run that something outside the
 * commit ended is repeated.
 */
export async function runOldTests(
  context: RecordingContext,
  remembered: ReadonlyMap<string, RanCommand>,
  run: OldTestsRun,
): Promise<OldTestsEnd> {
  const { journal } = context;
  const { unit, end, by, again = 0 } = run;
  const { tree, setup } = await context.trees.factsAt(end);
  const key = oldTestsKey(context, run, tree);
  const known = remembered.get(ranKey(key));
  if (known?.setup === setup) return ended(context, known);
  const time = journal.time();
  const what = `${NAMES[by]}${"-again".repeat(again)}`;
  const first = `${time.replace(/[:.]/g, "-")}-old-${what}-${abbreviate(end)}`;
  const { ran, output, alone } = await settledOver(context, run, first);
  if (ran.kind === "stopped") return ran;
  if (isPassing(ran)) return { kind: "unknown", reason: ran.reason };
  const measured = { setup, ...aloneFields(alone) };
  const result = { ...(await resultOf(context, ran, output)), ...measured };
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
  "old-checks-alone": "checks-alone",
  "new-harness": "tests",
};

/**
 * The runs that reviewer and tester recorded, by `ranKey`. They run the same old tests on the same tree when the last
 * milestone is the whole session, and each goes on from what the other one saw.
 */
export function runsOfJudges({
  reviewer,
  tester,
}: Pick<SessionState, "reviewer" | "tester">): ReadonlyMap<string, RanCommand> {
  return new Map([...reviewer.ran, ...tester.ran]);
}

const PREFIXES: Readonly<Record<RunBy, string>> = {
  "old-harness": "",
  "old-checks": CHECKS,
  "old-checks-alone": `${CHECKS}${ALONE}`,
  "new-harness": "",
};

/** The prefix, once for each repeat, keeps the records of repeats apart from that of the first run. */
const AGAIN = "again:";

/** The key of the record of such a run. */
export function oldTestsKey(
  { session }: Pick<RecordingContext, "session">,
  { tests, by, again = 0 }: Omit<OldTestsRun, "unit" | "end">,
  tree: Oid,
) {
  const prefix = `${AGAIN.repeat(again)}${PREFIXES[by]}`;
  return {
    command: `${prefix}${commandKey(session.verify)}`,
    tree,
    tests: tests.from,
    ...(by === "new-harness" ? {} : { harness: tests.from }),
  };
}

type Ran = RunVerdict | { readonly kind: "stopped" };

/** Whether a run is unknown for a reason that does not last. Tests that do not fit the tree, or lack a program, stay so. */
function isPassing(ran: Ran): ran is Extract<RunVerdict, { readonly kind: "unknown" }> {
  return ran.kind === "unknown" && ["disk-full", "signal", "time"].includes(ran.cause);
}

interface SettledRun {
  readonly ran: Ran;
  readonly output: string;
  readonly alone: Alone | undefined;
}

/** Runs them until that says something, as often as any look, and each time but the first as alone as any. */
async function settledOver(
  context: RecordingContext,
  run: OldTestsRun,
  first: string,
): Promise<SettledRun> {
  const { again = 0, repeats = new Repeats(context) } = run;
  const alones: Alone[] = [];
  for (let n = 1; ; n++) {
    const output = n === 1 ? first : `${first}-${String(n)}`;
    const ran = await repeats.take(again + n, (alone) => {
      if (alone !== undefined) alones.push(alone);
      return runOver(context, run, output);
    });
    const alone = allAlone(alones);
    if (ran === undefined) return { ran: { kind: "stopped" }, output, alone };
    if (!isPassing(ran) || n > UNKNOWN_REPEATS_MAX) return { ran, output, alone };
  }
}

async function runOver(
  context: RecordingContext,
  { end: at, tests, again = 0 }: OldTestsRun,
  output: string,
): Promise<Ran> {
  const { builder } = need(await context.reader.read());
  const { tree } = await context.trees.factsAt(at);
  const kept = networkAt(context, builder, tree);
  // What failed without the network has to fail with it, too, and then again where nobody else holds a port.
  const network = again === 1 ? kept && "machine" : kept;
  const used = await runVerify(context, { at, tests, output, network });
  if (used.kind === "stopped") return used;
  const { verifyTimeoutMs: timeoutMs } = context.session;
  // How many tests ran says nothing here: tests were taken away from the tree.
  const counts = { ran: undefined, timeoutMs };
  const before = { tookMs: builder.baseline?.took, ran: undefined };
  if (used.kind === "unready") {
    const { stage, reason } = used;
    // For example, a file may now be where a folder was: neither a reason to end nor a finding.
    const shown = stage === "setup" ? `setup: ${reason}` : reason;
    return judgeRun({ end: { ...used, reason: shown }, isDiskFull: false, ...counts }, before);
  }
  const { end, isDiskFull } = used.value;
  return end.kind === "stopped" ? end : judgeRun({ end, isDiskFull, ...counts }, before);
}

/** How much of the output is searched for what could not be loaded. */
const READ_CHARS_MAX = 1024 * 1024;

async function resultOf(
  context: RecordingContext,
  ran: Exclude<Ran, { kind: "stopped" }>,
  output: string,
): Promise<Omit<RanCommand, "unit">> {
  switch (ran.kind) {
    case "green":
    case "none":
      return { outcome: "passed", reason: undefined, failing: undefined, output };
    case "unknown":
      return {
        outcome: "unstarted",
        reason: clip(ran.reason),
        failing: undefined,
        output: undefined,
      };
    case "red": {
      const { failing, tally } = await readFailures(context, output);
      return {
        outcome: "failed",
        reason: clip(ran.reason),
        failing: failing === undefined ? undefined : [...failing],
        tally,
        output,
      };
    }
  }
}

function ended(
  context: RecordingContext,
  { outcome, reason = "", failing, tally, output }: Omit<RanCommand, "unit">,
): OldTestsEnd {
  const { home, ports } = context;
  const path = output === undefined ? undefined : join(home.turns, `${output}.out`);
  const printed = path === undefined ? "" : cleanedTail(ports.files, path, READ_CHARS_MAX);
  const red = redOutput(context, { output, failing });
  return { kind: "ran", outcome, reason, failing, tally, red, printed };
}
