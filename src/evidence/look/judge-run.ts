import { SUITE_TIME_SHARE_MAX } from "../../base/look-limits.ts";
import type { UnknownCause } from "../../fs-protocol/records/look-record.ts";
import type { CommandsEnd } from "../../work/run-in-order.ts";
import type { Unready } from "../../work/verify-trees.ts";

/** One run of the suite at one tree, as far as a verdict depends on it. */
export interface SuiteRun {
  readonly end: Exclude<CommandsEnd, { readonly kind: "stopped" }> | Unready;
  /** Whether the disk of the tree had no space left after the run. */
  readonly isDiskFull: boolean;
  /** How many tests ran, by the runner's own summary; undefined if it does not say. */
  readonly ran: number | undefined;
  /** Whether the runner failed, and says that it did because there is no test. */
  readonly isForNoTests?: boolean;
  readonly timeoutMs: number;
}

/** What the same commands did at the start of the range; undefined where a record does not tell. */
export interface SuiteBefore {
  readonly tookMs: number | undefined;
  /** The most tests that ran at the start of the range or at the base; undefined if one of these does not tell. */
  readonly ran: number | undefined;
  /** How many tests it left out. */
  readonly skipped?: number | undefined;
}

/** What a run says about the commit. `none`: there is no test yet, so nothing was verified. */
export type RunVerdict =
  | { readonly kind: "green" }
  | { readonly kind: "none" }
  | { readonly kind: "red"; readonly reason: string }
  | { readonly kind: "unknown"; readonly cause: UnknownCause; readonly reason: string };

/** Signals by which a system ends processes for reasons of its own; those of a crash are the program's fault. */
const FROM_OUTSIDE: ReadonlySet<string> = new Set(["SIGKILL", "SIGTERM", "SIGHUP", "SIGINT"]);

/** Whether a signal says nothing of the program that it ended. */
export function isFromOutside(signalName: string): boolean {
  return FROM_OUTSIDE.has(signalName);
}

/** By convention, a command with this exit code was not found or could not be executed. */
const NOT_STARTED_CODES: readonly number[] = [126, 127];

/**
 * Judges one run of the suite. It is unknown if it shows something about the machine and not about the commit: the
 * commands were not started, something outside ended them, or the disk was full. Words of the output never make it so,
 * since a model can write them. Pure.
 *
 * @param before undefined if they did not run before, as at the session's base
 */
export function judgeRun(
  { end, isDiskFull, ran, isForNoTests = false, timeoutMs }: SuiteRun,
  before: SuiteBefore | undefined,
): RunVerdict {
  if (end.kind === "passed") return ran === 0 ? withoutTests(before) : { kind: "green" };
  const { reason } = end;
  const unknown = (cause: UnknownCause, why = reason): RunVerdict => {
    return { kind: "unknown", cause, reason: why };
  };
  if (end.kind === "unready") {
    if (end.stage === "setup") return unknown("setup");
    return end.stage === "build" ? { kind: "red", reason } : unknown("tree");
  }
  const { ended } = end;
  if (ended.kind === "not-started") return unknown("not-started");
  if (isDiskFull) return unknown("disk-full", `${reason}; the disk is full`);
  switch (ended.kind) {
    case "exited":
      return NOT_STARTED_CODES.includes(ended.exitCode)
        ? unknown("not-started")
        : isForNoTests && (before === undefined || before.ran === 0)
          ? { kind: "none" }
          : { kind: "red", reason };
    case "killed":
      return isFromOutside(ended.signalName) ? unknown("signal") : { kind: "red", reason };
    case "timed-out":
      return timedOut(reason, timeoutMs, before);
  }
}

/** A suite that passed without a test. A record that does not tell how many ran before blames nobody for that. */
function withoutTests(before: SuiteBefore | undefined): RunVerdict {
  if (before === undefined || before.ran === 0) return { kind: "none" };
  if (before.ran === undefined) return { kind: "green" };
  return { kind: "red", reason: `no test ran, and ${String(before.ran)} ran before` };
}

/** A suite that took a small part of the limit before hangs now; of another one, the machine may be too slow. */
function timedOut(reason: string, timeoutMs: number, before: SuiteBefore | undefined): RunVerdict {
  const tookMs = before?.tookMs;
  const isClose = tookMs !== undefined && tookMs >= timeoutMs * SUITE_TIME_SHARE_MAX;
  if (before === undefined || isClose) return { kind: "unknown", cause: "time", reason };
  const took = tookMs === undefined ? "" : `; it took ${seconds(tookMs)} before`;
  return { kind: "red", reason: `${reason}${took}` };
}

function seconds(ms: number): string {
  return `${String(Math.max(1, Math.round(ms / 1000)))} s`;
}
