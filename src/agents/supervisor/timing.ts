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
  /** Before the first restart in a row; doubles with each further one, up to the other. */
  readonly backoffMsMin: number;
  readonly backoffMsMax: number;
  /** A role that ran this long was healthy: the backoff starts anew. */
  readonly healthyMs: number;
  /** So many crashes within the window are a loop, and the role is given up. */
  readonly crashLoopCount: number;
  readonly crashLoopWindowMs: number;
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
  stopGraceMs: ROLE_STOP_GRACE_MS,
  stopPollMs: 100,
  pollMs: SWEEP_MS,
  sweepMs: 5 * SWEEP_MS,
};
