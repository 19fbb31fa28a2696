import {
  QUEUE_BACKOFF_MS_MAX,
  QUEUE_BACKOFF_MS_MIN,
  QUEUE_PLACE_LOOK_MS,
  QUEUE_TRIES_MAX,
} from "../../base/queue-limits.ts";
import { backoffMs } from "../../streams/retry.ts";

/** Why the start of an entry of a queue came to nothing. */
export interface FailedStart {
  /** The kind of the failure. */
  readonly code: string;
  /** Whether there is a place for it, at which a session may run already. */
  readonly isPlaced: boolean;
  readonly nowMs: number;
  /** In [0, 1). */
  readonly random: number;
}

/** What becomes of such an entry. */
export interface AfterFailure {
  readonly state: "waiting" | "claimed" | "failed";
  readonly tries: number;
  /** When it is tried again, in ms since 1970. */
  readonly afterMs?: number | undefined;
  /** Another process has taken its branch: it needs another one. */
  readonly forgetsBranch: boolean;
}

/** Failures that may be over by themselves: the executor is full, lost, or busy. */
const PASSING = new Set([
  "executor-refused",
  "executor-unreachable",
  "place-gone",
  "place-down",
  "mirror-missing",
  "spawn",
]);

/** Failures that come from another start of the same name at the same moment. */
const OUTRUN = new Set(["branch-exists", "id-taken"]);

/**
 * Decides what becomes of an entry that could not be started: it is tried again after a delay that doubles, as long as
 * that may help and not too often. While nothing of it exists, it gives its turn to others.
 */
export function afterFailure(
  { tries }: { readonly tries: number },
  { code, isPlaced, nowMs, random }: FailedStart,
): AfterFailure {
  if (code === "place-waits") {
    const afterMs = nowMs + QUEUE_PLACE_LOOK_MS;
    return { state: "claimed", tries, afterMs, forgetsBranch: false };
  }
  const failed = tries + 1;
  const isOutrun = OUTRUN.has(code) && !isPlaced;
  if ((!PASSING.has(code) && !isOutrun) || failed >= QUEUE_TRIES_MAX) {
    return { state: "failed", tries: failed, forgetsBranch: false };
  }
  const delay = { msMin: QUEUE_BACKOFF_MS_MIN, msMax: QUEUE_BACKOFF_MS_MAX };
  return {
    state: isPlaced ? "claimed" : "waiting",
    tries: failed,
    afterMs: nowMs + backoffMs(failed, delay, random),
    forgetsBranch: isOutrun,
  };
}
