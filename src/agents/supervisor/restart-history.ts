import { EXIT } from "../../base/exit-code.ts";
import type { SessionFacts } from "./session-facts.ts";
import type { Timing } from "./timing.ts";

/** Exit codes of a role's process that do not tell of a crash. */
const EXIT_BRANCH_REWRITTEN = 5;
const EXIT_INTERRUPTED = 130;

/** How a role's process ended. Times in steady milliseconds. */
export interface ProcessEnd {
  readonly how:
    | { readonly kind: "exited"; readonly code: number }
    /** Started by hand: all that is known is that its lease is free. */
    | { readonly kind: "left" }
    /** Started by another supervisor: all that is known is that it is gone. */
    | { readonly kind: "gone" }
    | { readonly kind: "not-started"; readonly errno: string };
  readonly atMs: number;
  readonly ranMs: number;
  /** We had sent it a signal. */
  readonly wasAsked: boolean;
  /** What it said of why it ended. */
  readonly said?: string | undefined;
}

/** Why it ended, as far as starting it again goes. */
export type EndCause =
  | "over"
  /** We asked it. */
  | "asked"
  /** Somebody else did, by a signal. */
  | "interrupted"
  | "lease-held"
  | "branch-rewritten"
  | "crash";

/**
 * Judges an end by what was seen after it. An exit code of 0 while there is work left is a crash like
 * any other: else a role that always leaves at once would be started for ever. So is a refusal by a
 * lease that nobody has (`isLeaseHeld`).
 */
export function causeOfEnd(
  { how, wasAsked }: ProcessEnd,
  session: SessionFacts,
  isLeaseHeld: boolean,
): EndCause {
  if (wasAsked) return "asked";
  if (session.over !== undefined) return "over";
  const code = how.kind === "exited" ? how.code : undefined;
  // Of the child of another supervisor the exit code is not known, but it left room for somebody else.
  const isRefused = code === EXIT.leaseHeld || how.kind === "gone";
  if (isRefused && isLeaseHeld) return "lease-held";
  if (code === EXIT_BRANCH_REWRITTEN || session.isRewritten) return "branch-rewritten";
  return code === EXIT_INTERRUPTED ? "interrupted" : "crash";
}

/** What a supervisor remembers of a role's ends. */
export interface RestartHistory {
  /** Times of those crashes that lie within one window of the last. */
  readonly crashesMs: readonly number[];
  /** Starts in a row that did not last: the backoff grows with them. */
  readonly shortRuns: number;
  /** The role is not started before. */
  readonly notBeforeMs: number;
  /**
   * Whether the files that follow from the role's log may lack the last of it. `behind`: the process
   * did not end by itself. `tried`: it was started for their sake alone, which is done only once.
   */
  readonly files: "whole" | "behind" | "tried";
}

export const FRESH: RestartHistory = {
  crashesMs: [],
  shortRuns: 0,
  notBeforeMs: 0,
  files: "whole",
};

/** The history with one more end. */
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
  // Who holds the lease instead of a role that was refused is not gone at once.
  const waits = cause === "lease-held" ? shortRuns : shortRuns - 1;
  return {
    crashesMs: cause === "crash" ? [...recent, end.atMs] : recent,
    shortRuns,
    notBeforeMs: end.atMs + backoffMs(waits, timing),
    files,
  };
}

/** The history of a role that is started when the session is over. */
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

/** Whether the role crashed so often in so short a time that starting it again is of no use. */
export function isCrashLoop(history: RestartHistory, timing: Timing): boolean {
  return history.crashesMs.length >= timing.crashLoopCount;
}

/** The first restart in a row is at once. */
function backoffMs(waits: number, { backoffMsMin, backoffMsMax }: Timing): number {
  return waits === 0 ? 0 : Math.min(backoffMsMin * 2 ** (waits - 1), backoffMsMax);
}
