import { z } from "zod";

const UNITS_MS = { ms: 1, s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 } as const;

/** Node's timers hold 31 bits of milliseconds; a week fits. */
const DURATION_MS_MAX = 7 * UNITS_MS.d;

const EXPECTED = "a duration such as 10m, 30s, 1h, or a number of milliseconds, up to a week";

/**
 * A number with its unit, up to `DURATION_MS_MAX`. The limit is in the pattern, so that the published JSON Schema
 * has it, too.
 */
const WITHIN_A_WEEK =
  /^(?:(?:[1-9]\d{0,7}|[1-5]\d{8}|60[0-3]\d{6}|604[0-7]\d{5}|604800000)ms|(?:[1-9]\d{0,4}|[1-5]\d{5}|60[0-3]\d{3}|604[0-7]\d{2}|604800)s|(?:[1-9]\d{0,3}|100[0-7]\d|10080)m|(?:[1-9]\d?|1[0-5]\d|16[0-8])h)$/;

/** A time span in settings, parsed to milliseconds. */
export const Duration = z.union(
  [
    z
      .int()
      .min(1, { error: EXPECTED })
      .max(DURATION_MS_MAX, { error: EXPECTED })
      .describe("Milliseconds."),
    z
      .string()
      .regex(WITHIN_A_WEEK, { error: EXPECTED })
      .transform(durationMs)
      .describe("A number with its unit: ms, s, m or h."),
  ],
  { error: EXPECTED },
);

/** A time span as a person types it, such as `30m`, `2h` or `1d`, in milliseconds; undefined if it is none. */
export function spanMs(text: string): number | undefined {
  return /^[1-9]\d{0,8}(?:ms|s|m|h|d)$/.test(text) ? durationMs(text) : undefined;
}

function durationMs(text: string): number {
  const [, count = "", unit = ""] = /^(\d+)([a-z]+)$/.exec(text) ?? [];
  const isUnit = (name: string): name is keyof typeof UNITS_MS => name in UNITS_MS;
  return isUnit(unit) ? Number(count) * UNITS_MS[unit] : Number.NaN;
}
