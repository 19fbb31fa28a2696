import {
  CRASH_LOOP_COUNT,
  CRASH_LOOP_WINDOW_MS,
  RESTART_BACKOFF_MS_MAX,
  RESTART_BACKOFF_MS_MIN,
  RESTART_HEALTHY_MS,
  ROLE_STOP_GRACE_MS,
  SWEEP_MS,
} from "../../base/limits.ts";

/** The durations of supervision. Tests give shorter ones. */
export interface Timing {
  /** Before the second restart in a row; doubles with each further one, up to the other. */
  readonly backoffMsMin: number;
  readonly backoffMsMax: number;
  /** A role that ran this long was healthy: the backoff starts anew. */
  readonly healthyMs: number;
  /** So many crashes within the window are a loop, and the role is given up. */
  readonly crashLoopCount: number;
  readonly crashLoopWindowMs: number;
  /**
   * When the supervision begins, a role that has nothing to do yet is started so much later: it would
   * only take the machine from those that have.
   */
  readonly idleStartMs: number;
  /** From TERM to KILL. */
  readonly stopGraceMs: number;
  /** While stopping: how often to look whether a role that is not our child has ended. */
  readonly stopPollMs: number;
  /** How often to see whether holders that are not our children live: a few microseconds each. */
  readonly pollMs: number;
  /** How often to look at everything without a hint; a look at a free lease costs a process. */
  readonly sweepMs: number;
}

export const DEFAULT_TIMING: Timing = {
  backoffMsMin: RESTART_BACKOFF_MS_MIN,
  backoffMsMax: RESTART_BACKOFF_MS_MAX,
  healthyMs: RESTART_HEALTHY_MS,
  crashLoopCount: CRASH_LOOP_COUNT,
  crashLoopWindowMs: CRASH_LOOP_WINDOW_MS,
  idleStartMs: 500,
  stopGraceMs: ROLE_STOP_GRACE_MS,
  stopPollMs: 100,
  pollMs: 500,
  sweepMs: 5 * SWEEP_MS,
};

/**
 * Who gives a lease back takes its name away first, and the kernel frees the lease a moment later without
 * any event. So after a hint the leases are looked at again, at so many of the next polls.
 */
export const LOOKS_AFTER_HINT = 4;
