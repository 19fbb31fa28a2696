const SECOND_MS = 1_000;
const MINUTE_MS = 60 * SECOND_MS;
const HOUR_MS = 60 * MINUTE_MS;

/** A duration for people, in its two largest units: `4s`, `1m 20s`, `2h 5m`. A negative one counts as zero. */
export function formatDuration(durationMs: number): string {
  const ms = Math.max(0, Math.round(durationMs / SECOND_MS) * SECOND_MS);
  if (ms < MINUTE_MS) return `${String(ms / SECOND_MS)}s`;
  if (ms < HOUR_MS) return pair(ms, { large: MINUTE_MS, small: SECOND_MS, names: ["m", "s"] });
  return pair(ms, { large: HOUR_MS, small: MINUTE_MS, names: ["h", "m"] });
}

/** Up to here, a time that is left is shown in seconds. */
export const IN_SECONDS_MS_MAX = 2 * MINUTE_MS;

/**
 * A time that is left, rounded up so that it stays true as a limit. A long one is given in minutes, so that what shows it
 * changes only once a minute.
 */
export function formatTimeLeft(leftMs: number): string {
  if (leftMs <= IN_SECONDS_MS_MAX) return formatDuration(Math.ceil(leftMs / SECOND_MS) * SECOND_MS);
  const minutes = Math.ceil(leftMs / MINUTE_MS);
  return minutes < 60 ? `${String(minutes)}m` : formatDuration(minutes * MINUTE_MS);
}

/**
 * A time that has passed, rounded down. A long one is given in minutes, so that what shows it changes only once a minute.
 */
export function formatElapsed(passedMs: number): string {
  const unitMs = passedMs < IN_SECONDS_MS_MAX ? SECOND_MS : MINUTE_MS;
  const ms = Math.floor(Math.max(0, passedMs) / unitMs) * unitMs;
  return ms >= IN_SECONDS_MS_MAX && ms < HOUR_MS
    ? `${String(ms / MINUTE_MS)}m`
    : formatDuration(ms);
}

interface Units {
  readonly large: number;
  readonly small: number;
  readonly names: readonly [string, string];
}

function pair(ms: number, { large, small, names }: Units): string {
  const first = Math.floor(ms / large);
  const second = Math.floor((ms % large) / small);
  return `${String(first)}${names[0]} ${String(second)}${names[1]}`;
}
