import { EXIT } from "../../base/exit-code.ts";
import type { SessionFacts } from "./session-facts.ts";
import type { Timing } from "./timing.ts";

/** Exit codes of a role's process that do not mean a crash. */
const EXIT_BRANCH_REWRITTEN = 5;
const EXIT_INTERRUPTED = 130;

/** How a role's process ended. Times in steady milliseconds. */
export interface ProcessEnd {
  readonly how:
    | { readonly kind: "exited"; readonly code: number }
    /** Started by hand: only the release of its lease was seen. */
    | { readonly kind: "left" }
    /** Started by another supervisor: its exit code is not known. */
    | { readonly kind: "gone" }
    | { readonly kind: "not-started"; readonly errno: string };
  readonly atMs: number;
  readonly ranMs: number;
  /** This supervisor had sent it a signal. */
  readonly wasAsked: boolean;
  /** Its last lines of output, which explain its end. */
  readonly explanation?: string | undefined;
}

/** Why a process ended, as far as it matters for starting the role again. */
export type EndCause =
  | "over"
  /** This supervisor asked it to end. */
  | "asked"
  /** Another process sent it a signal. */
  | "interrupted"
  | "lease-held"
  | "branch-rewritten"
  | "crash";

/**
 * Finds the cause of an end from the state of the session after it. An exit code of 0 while there is work left is a
 * crash like any other, because otherwise a role that always exits at once would be restarted for ever. The exit code
 * for a lease that is held counts as a crash, too, if the lease turns out to be free.
 *
 * @param isLeaseHeld whether another process now holds the role's lease
 */
export function causeOfEnd(
  { how, wasAsked }: ProcessEnd,
  session: SessionFacts,
  isLeaseHeld: boolean,
): EndCause {
  if (wasAsked) return "asked";
  if (session.over !== undefined) return "over";
  const code = how.kind === "exited" ? how.code : undefined;
  // The exit code of another supervisor's child is not known, but another process holds the lease now.
  const isRefused = code === EXIT.leaseHeld || how.kind === "gone";
  if (isRefused && isLeaseHeld) return "lease-held";
  if (code === EXIT_BRANCH_REWRITTEN || session.isRewritten) return "branch-rewritten";
  return code === EXIT_INTERRUPTED ? "interrupted" : "crash";
}

/** What a supervisor remembers about how a role's processes ended. Times in steady milliseconds. */
export interface RestartHistory {
  /** Times of the crashes that lie within the crash-loop window before the last one. */
  readonly crashesMs: readonly number[];
  /** The number of short runs in a row, with which the backoff grows. */
  readonly shortRuns: number;
  /** The earliest time to start the role again. */
  readonly notBeforeMs: number;
  /**
   * Whether the projections of the role's log are up to date. `behind`: they may not be, because the process
   * crashed or was killed. `tried`: the role was started only to complete them, which is done once.
   */
  readonly files: "whole" | "behind" | "tried";
}

/** The history of a role that has not ended yet. */
export const FRESH: RestartHistory = {
  crashesMs: [],
  shortRuns: 0,
  notBeforeMs: 0,
  files: "whole",
};

/** Adds an end to a history. */
export function afterEnd(
  history: RestartHistory,
  end: ProcessEnd,
  cause: EndCause,
  timing: Timing,
): RestartHistory {
  const files = filesAfter(history, end, cause);
  if (cause === "over" || cause === "asked" || cause === "branch-rewritten") {
    return { ...FRESH, files };
  }
  const shortRuns = end.ranMs >= timing.healthyMs ? 1 : history.shortRuns + 1;
  const recent = history.crashesMs.filter((ms) => end.atMs - ms <= timing.crashLoopWindowMs);
  // The process that holds the lease will not end at once, so even the first restart waits.
  const waits = cause === "lease-held" ? shortRuns : shortRuns - 1;
  return {
    crashesMs: cause === "crash" ? [...recent, end.atMs] : recent,
    shortRuns,
    notBeforeMs: end.atMs + backoffMs(waits, timing),
    files,
  };
}

/** The history of a role that is started after the end of the session, only to complete its files. */
export function startedForFiles(history: RestartHistory): RestartHistory {
  return { ...history, files: "tried" };
}

function filesAfter(
  { files }: RestartHistory,
  { how }: ProcessEnd,
  cause: EndCause,
): RestartHistory["files"] {
  if (how.kind === "exited" && how.code === 0) return "whole";
  if (cause === "asked" || cause === "interrupted") return "whole";
  return cause === "over" && files === "tried" ? "tried" : "behind";
}

/** Whether the role crashed so often in so short a time that starting it again is pointless. */
export function isCrashLoop(history: RestartHistory, timing: Timing): boolean {
  return history.crashesMs.length >= timing.crashLoopCount;
}

/** The first restart in a row is at once. */
function backoffMs(waits: number, { backoffMsMin, backoffMsMax }: Timing): number {
  return waits === 0 ? 0 : Math.min(backoffMsMin * 2 ** (waits - 1), backoffMsMax);
}
