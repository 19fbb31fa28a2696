/** Milliseconds in each unit. */
export const UNITS_MS = { s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 };

/** Reads a duration such as `90m` and returns it in milliseconds. */
export function parseDuration(text) {
  const match = /^(\d+)([smhd])$/.exec(text.trim());
  if (match === null) throw new RangeError(`not a duration: ${text}`);
  const [, number, unit] = match;
  return Number(number) * UNITS_MS[unit];
}
