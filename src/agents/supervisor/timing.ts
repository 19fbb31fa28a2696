import {
  CRASH_LOOP_COUNT,
  CRASH_LOOP_WINDOW_MS,
  RESTART_BACKOFF_MS_MAX,
  RESTART_BACKOFF_MS_MIN,
  RESTART_HEALTHY_MS,
  ROLE_STOP_GRACE_MS,
  SWEEP_MS,
} from "../../base/limits.ts";

/** The durations of supervision, in milliseconds. Tests use shorter ones. */
export interface Timing {
  /** The wait before the second restart in a row; it doubles with each further one, up to `backoffMsMax`. */
  readonly backoffMsMin: number;
  readonly backoffMsMax: number;
  /** A role that ran this long was healthy, which resets the backoff. */
  readonly healthyMs: number;
  /** A role that crashes this often within the window is in a loop, and is given up. */
  readonly crashLoopCount: number;
  readonly crashLoopWindowMs: number;
  /**
   * How much later a role without work is started when the supervision begins, so that it does not slow
   * down the roles that have work.
   */
  readonly idleStartMs: number;
  /** The time between TERM and KILL. */
  readonly stopGraceMs: number;
  /** While stopping: how often to check whether a role that is not our child has ended. */
  readonly stopPollMs: number;
  /** How often to check whether holders that are not our children are alive, which takes a few microseconds each. */
  readonly pollMs: number;
  /** How often to check everything without a hint; checking a free lease costs starting a process. */
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
 * A process that releases a lease first removes the record of its holder, and the kernel frees the lease a moment later without
 * any event. So after a hint the leases are checked again at this many of the next polls.
 */
export const POLLS_AFTER_HINT = 4;
