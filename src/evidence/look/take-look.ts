import { join } from "node:path";
import { need } from "../../base/fatal.ts";
import { abbreviate, type Oid } from "../../base/oid.ts";
import type { CommonRecord } from "../../fs-protocol/records/common-records.ts";
import { clip } from "../../work/clip.ts";
import type { Journal } from "../../work/journal.ts";
import type { RoleContext } from "../../work/role-context.ts";
import { cleanedTail } from "../../work/run-in-order.ts";
import type { TreeEnd } from "../../work/verify-trees.ts";
import { testCount } from "../harness/test-counts.ts";
import { commandKey } from "../verify/command-key.ts";
import { failingTests } from "../verify/failing-tests.ts";
import { runVerify, type SuiteEnd } from "../verify/run-verify.ts";
import { judgeRun, type RunVerdict, type SuiteBefore } from "./judge-run.ts";
import type { SuiteLook } from "./settle-looks.ts";

/** A role that takes looks: it records each. */
export type LookContext = Omit<RoleContext, "journal"> & {
  readonly journal: Journal<Extract<CommonRecord, { readonly kind: "look" }>>;
};

/** A look to take. */
export interface LookWanted {
  readonly at: Oid;
  /** What the suite did at the start of the range; undefined if it did not run before. */
  readonly before: SuiteBefore | undefined;
  /** The number of the look among those that decide together, from 1. */
  readonly n: number;
  /** Whether no other repeated look runs at the same time. */
  readonly isAlone: boolean;
}

/** A look, with what wisp measured. */
export type TakenLook = SuiteLook & {
  /** One line; undefined if it is green. */
  readonly reason: string | undefined;
  /** Its output is in `logs/turns/<output>.out`. */
  readonly output: string;
  /** How long the commands ran; undefined if they did not. */
  readonly tookMs: number | undefined;
  /** How many tests ran; undefined if the output does not say. */
  readonly ran: number | undefined;
};

/** How much of the output is searched for the names of failing tests, and for their number. */
const NAMES_CHARS_MAX = 1024 * 1024;
const COUNTS_CHARS_MAX = 4 * 1024 * 1024;

/**
 * Runs the session's verify commands once, in a verify tree that holds nothing but the commit, and records what that
 * shows. The output, and the reason for a failure, go to `logs/turns/<output>.out`.
 */
export async function takeLook(
  context: LookContext,
  wanted: LookWanted,
): Promise<TakenLook | { readonly verdict: "stopped" }> {
  const { ports, session, home } = context;
  const time = new Date(ports.clock.nowMs()).toISOString();
  const output = `${time.replace(/[:.]/g, "-")}-verify-${abbreviate(wanted.at)}`;
  const used = await runVerify(context, { at: wanted.at, output });
  if (used.kind === "stopped") return { verdict: "stopped" };
  const ranTo = used.kind === "unready" ? (used.output ?? output) : output;
  const path = join(home.turns, `${ranTo}.out`);
  const ran =
    used.kind === "done" ? testCount(cleanedTail(ports.files, path, COUNTS_CHARS_MAX)) : undefined;
  const run = runOf(used, ran, session.verifyTimeoutMs);
  if (run === undefined) return { verdict: "stopped" };
  const verdict = judgeRun(run, wanted.before);
  const measured = { ran, tookMs: used.kind === "done" ? used.value.tookMs : undefined };
  const taken = takenOf(context, verdict, { ...measured, output: ranTo });
  await record(context, wanted, verdict, taken);
  return taken;
}

function runOf(
  used: Exclude<TreeEnd<SuiteEnd>, { readonly kind: "stopped" }>,
  ran: number | undefined,
  timeoutMs: number,
) {
  if (used.kind === "unready") return { end: used, isDiskFull: false, ran, timeoutMs };
  const { end, isDiskFull } = used.value;
  return end.kind === "stopped" ? undefined : { end, isDiskFull, ran, timeoutMs };
}

function takenOf(
  { ports, home }: LookContext,
  verdict: RunVerdict,
  measured: Pick<TakenLook, "ran" | "tookMs" | "output">,
): TakenLook {
  if (verdict.kind === "green") return { verdict: "green", reason: undefined, ...measured };
  const path = join(home.turns, `${measured.output}.out`);
  const failing = failingTests(cleanedTail(ports.files, path, NAMES_CHARS_MAX));
  const reason = clip(verdict.reason);
  // A command that was missing or hung printed nothing, and the next prompt shows only the output.
  need(ports.files.append(path, Buffer.from(`${reason}\n`)));
  return verdict.kind === "unknown"
    ? { verdict: "unknown", cause: verdict.cause, reason, ...measured }
    : { verdict: "red", failing, reason, ...measured };
}

async function record(
  { journal, session, trees }: LookContext,
  { at, n, isAlone }: LookWanted,
  verdict: RunVerdict,
  { reason, ran, tookMs, output }: TakenLook,
): Promise<void> {
  const { tree } = await trees.factsAt(at);
  journal.append({
    kind: "look",
    time: journal.time(),
    ...{ at, tree, command: commandKey(session.verify), n, verdict: verdict.kind },
    ...(verdict.kind === "unknown" ? { cause: verdict.cause } : {}),
    ...{ reason, ran, took: tookMs, output },
    ...(isAlone ? { alone: "yes" as const } : {}),
    optional: "yes",
  });
}
