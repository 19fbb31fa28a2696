const SECOND_MS = 1_000;
const MINUTE_MS = 60 * SECOND_MS;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

/** Distances between two ticks that are easy to read. */
const STEPS_MS = [
  ...[1, 2, 5, 10, 15, 30].map((count) => count * SECOND_MS),
  ...[1, 2, 5, 10, 15, 30].map((count) => count * MINUTE_MS),
  ...[1, 2, 3, 6, 12].map((count) => count * HOUR_MS),
  ...[1, 2, 7, 14].map((count) => count * DAY_MS),
];
const TICKS_MAX = 8;

/** The moments of a time axis that are labelled, in milliseconds after its begin. At most eight after the first. */
export function axisTicks(rangeMs: number): readonly number[] {
  const largestMs = STEPS_MS.at(-1) ?? DAY_MS;
  const stepMs =
    STEPS_MS.find((one) => rangeMs / one <= TICKS_MAX) ??
    Math.ceil(rangeMs / TICKS_MAX / largestMs) * largestMs;
  return Array.from({ length: Math.floor(rangeMs / stepMs) + 1 }, (_, at) => at * stepMs);
}
