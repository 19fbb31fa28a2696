import { join } from "node:path";
import { need } from "../../base/fatal.ts";
import { abbreviate, type Oid } from "../../base/oid.ts";
import { NEUTRAL } from "../../fs-protocol/records/command-result.ts";
import type { LookNetwork, LookRecord } from "../../fs-protocol/records/look-record.ts";
import type { CommonRecord } from "../../fs-protocol/records/common-records.ts";
import { clip } from "../../work/clip.ts";
import type { Journal } from "../../work/journal.ts";
import type { RoleContext } from "../../work/role-context.ts";
import { cleanedTail } from "../../work/run-in-order.ts";
import type { TreeEnd } from "../../work/verify-trees.ts";
import { failedForNoTests, saysNoTests } from "../printed/no-tests.ts";
import { testCount } from "../harness/test-counts.ts";
import { commandKey } from "../verify/command-key.ts";
import type { Tally } from "../../fs-protocol/records/tally.ts";
import { readFailures, readPassed } from "../verify/read-failures.ts";
import { runVerify, type SuiteEnd } from "../verify/run-verify.ts";
import type { Alone } from "./alone-here.ts";
import { judgeRun, type RunVerdict, type SuiteBefore, type SuiteRun } from "./judge-run.ts";
import type { SuiteLook } from "./settle-looks.ts";

/** A role that takes looks: it records each. */
export type LookContext = Omit<RoleContext, "journal"> & {
  readonly journal: Journal<Extract<CommonRecord, { readonly kind: "look" | "note" }>>;
};

/** A look to take. */
export interface LookWanted {
  readonly at: Oid;
  /** What the suite did at the start of the range; undefined if it did not run before. */
  readonly before: SuiteBefore | undefined;
  /** The number of the look among those that decide together, from 1. */
  readonly n: number;
  /** Set if no other repeated look runs at the same time. */
  readonly alone: Alone | undefined;
  /** Undefined if the sandbox leaves no choice. */
  readonly network: LookNetwork | undefined;
  /** The name of a neutral tree to look at; absent: one of wisp's own. */
  readonly neutral?: string | undefined;
  /** False: it is taken without `CI=true`. Absent: as later ones are. */
  readonly hasCi?: false | undefined;
}

/** A look, with what wisp measured. */
export type TakenLook = SuiteLook & {
  /** One line; undefined if it is green, or if there is no test. */
  readonly reason: string | undefined;
  /** Its output is in `logs/turns/<output>.out`. */
  readonly output: string;
  /** How long the commands ran; undefined if they did not. */
  readonly tookMs: number | undefined;
  /** How many tests ran; undefined if the output does not say. */
  readonly ran: number | undefined;
  /** Undefined if the sandbox leaves no choice. */
  readonly network: LookNetwork | undefined;
  /** The command that failed; undefined if none did. */
  readonly command: readonly string[] | undefined;
};

/** How much of the output is searched for the number of tests, in sessions of an older wisp. */
const COUNTS_CHARS_MAX = 4 * 1024 * 1024;

/**
 * Runs the session's verify commands once, in a verify tree that holds nothing but the commit, and records what that
 * shows. The output, and the reason for a failure, go to `logs/turns/<output>.out`.
 */
export async function takeLook(
  context: LookContext,
  wanted: LookWanted,
): Promise<TakenLook | { readonly verdict: "stopped" }> {
  const { ports, session } = context;
  const time = new Date(ports.clock.nowMs()).toISOString();
  const again = wanted.n === 1 ? "" : `-${String(wanted.n)}`;
  const ci = wanted.hasCi === false ? "-without-ci" : "";
  const what = `${wanted.neutral === undefined ? "verify" : "neutral"}${ci}`;
  const output = `${time.replace(/[:.]/g, "-")}-${what}-${abbreviate(wanted.at)}${again}`;
  const { at, network, neutral, hasCi } = wanted;
  const used = await runVerify(context, { at, output, network, neutral, hasCi });
  if (used.kind === "stopped") return { verdict: "stopped" };
  const ranTo = used.kind === "unready" ? (used.output ?? output) : output;
  const printed = await readPrinted(context, used, { output: ranTo, neutral });
  const ran = ranIn(context, printed, ranTo);
  const { isForNoTests } = printed;
  const run = runOf(used, { ran, isForNoTests, timeoutMs: session.verifyTimeoutMs });
  if (run === undefined) return { verdict: "stopped" };
  const verdict = judgeRun(run, wanted.before);
  const tookMs = used.kind === "done" ? used.value.tookMs : undefined;
  const command = run.end.kind === "failed" ? run.end.command : undefined;
  const taken = takenOf(context, verdict, printed, {
    ...{ ran, tookMs, command, network, output: ranTo },
  });
  await record(context, wanted, verdict, taken);
  return taken;
}

type Used = Exclude<TreeEnd<SuiteEnd>, { readonly kind: "stopped" }>;

/** What the output says of tests. No test ran if a tree could not be prepared, so the output of its build names none. */
async function readPrinted(
  context: LookContext,
  used: Used,
  { output, neutral }: { readonly output: string; readonly neutral: string | undefined },
): Promise<Printed> {
  const end = used.kind === "done" ? used.value.end : undefined;
  if (end?.kind !== "failed") {
    const tally = await readPassed(context, output);
    return { failing: undefined, tally, hasRun: used.kind === "done", isForNoTests: false };
  }
  const failures = await readFailures(context, output, neutral);
  const hasTests = failures.failing !== undefined || countOf(failures.tally) > 0;
  const isForNoTests =
    !hasTests &&
    end.ended.kind === "exited" &&
    failedForNoTests(printedIn(context, output), end.ended.exitCode);
  return { ...failures, hasRun: true, isForNoTests };
}

interface Printed {
  readonly failing: readonly string[] | undefined;
  readonly tally: Tally | undefined;
  readonly hasRun: boolean;
  /** Whether it failed, and says that it did because there is no test. */
  readonly isForNoTests: boolean;
}

function printedIn({ ports, home }: LookContext, output: string): string {
  return cleanedTail(ports.files, join(home.turns, `${output}.out`), COUNTS_CHARS_MAX);
}

/** How many tests a tally counts; 0 if the runner does not say. */
function countOf(tally: Tally | undefined): number {
  return (tally?.passed ?? 0) + (tally?.failed ?? 0);
}

/** How many tests ran; undefined if the output does not say. */
function ranIn(
  context: LookContext,
  { tally, hasRun, failing, isForNoTests }: Printed,
  output: string,
): number | undefined {
  if (!hasRun) return undefined;
  if (isForNoTests) return 0;
  const isTold = tally?.passed !== undefined || tally?.failed !== undefined;
  if (isTold) return countOf(tally);
  const printed = printedIn(context, output);
  const counted = tally === undefined ? testCount(printed) : undefined;
  return counted ?? (failing === undefined && saysNoTests(printed) ? 0 : undefined);
}

function runOf(used: Used, facts: Pick<SuiteRun, "ran" | "isForNoTests" | "timeoutMs">) {
  if (used.kind === "unready") return { end: used, isDiskFull: false, ...facts };
  const { end, isDiskFull } = used.value;
  return end.kind === "stopped" ? undefined : { end, isDiskFull, ...facts };
}

function takenOf(
  { ports, home }: LookContext,
  verdict: RunVerdict,
  { failing, tally }: Printed,
  measured: Pick<TakenLook, "ran" | "tookMs" | "command" | "output" | "network">,
): TakenLook {
  if (verdict.kind === "green") return { verdict: "green", reason: undefined, tally, ...measured };
  if (verdict.kind === "none") {
    // Other roles read the number of tests from the totals.
    const none = tally && { ...tally, passed: 0, failed: 0 };
    return { verdict: "none", reason: undefined, tally: none, ...measured, ran: 0 };
  }
  const path = join(home.turns, `${measured.output}.out`);
  const reason = clip(verdict.reason);
  // A command that was missing or hung printed nothing, and the next prompt shows only the output.
  need(ports.files.append(path, Buffer.from(`${reason}\n`)));
  return verdict.kind === "unknown"
    ? { verdict: "unknown", cause: verdict.cause, reason, ...measured }
    : { verdict: "red", failing, tally, reason, ...measured };
}

async function record(
  { journal, session, trees }: LookContext,
  { at, n, alone, network, neutral, hasCi }: LookWanted,
  verdict: RunVerdict,
  { reason, ran, tookMs, output }: TakenLook,
): Promise<void> {
  const { tree } = await trees.factsAt(at);
  const command = `${neutral === undefined ? "" : NEUTRAL}${commandKey(session.verify)}`;
  journal.append({
    kind: "look",
    time: journal.time(),
    ...{ at, tree, command, n, verdict: verdict.kind },
    ...(verdict.kind === "unknown" ? { cause: verdict.cause } : {}),
    ...{ reason, ran, took: tookMs, output, network },
    ...aloneFields(alone),
    ...(hasCi === false ? { ci: "no" as const } : {}),
    optional: "yes",
  });
}

/** How a look was taken alone, as fields of its record. */
export function aloneFields(
  alone: Alone | undefined,
): Pick<LookRecord, "alone" | "waited" | "beside"> {
  if (alone === undefined) return {};
  const { waitedMs, beside } = alone;
  return {
    alone: "yes",
    ...(waitedMs > 0 ? { waited: waitedMs } : {}),
    ...(beside > 0 ? { beside } : {}),
  };
}
