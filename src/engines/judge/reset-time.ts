const UNITS_MS: Readonly<Record<string, number>> = {
  s: 1_000,
  m: 60_000,
  h: 3_600_000,
  d: 86_400_000,
};

/** The longest plausible limit of a provider; anything longer is ignored. */
const WAIT_MS_MAX = 32 * 86_400_000;

/**
 * When a limit ends, according to its message: `…|1718000000` (seconds since 1970), a time in ISO 8601, or a
 * duration such as "try again in 3 days 2 hours". In milliseconds since 1970; `undefined` if the message has no
 * such time, or one that is past or implausible.
 */
export function resetTime(message: string, nowMs: number): number | undefined {
  const text = message.slice(0, 2_000);
  const found = epoch(text) ?? iso(text) ?? span(text, nowMs);
  if (found === undefined || Number.isNaN(found)) return undefined;
  return found >= nowMs && found <= nowMs + WAIT_MS_MAX ? found : undefined;
}

function epoch(text: string): number | undefined {
  const seconds = /\|(\d{10})(?!\d)/u.exec(text)?.[1];
  return seconds === undefined ? undefined : Number(seconds) * 1_000;
}

function iso(text: string): number | undefined {
  const time = /\b\d{4}-\d\d-\d\dT\d\d:\d\d(?::\d\d(?:\.\d{1,9})?)?(?:Z|[+-]\d\d:\d\d)/u.exec(text);
  return time === null ? undefined : Date.parse(time[0]);
}

function span(text: string, nowMs: number): number | undefined {
  const duration =
    /\b(?:again|retry|resets?|reset) (?:in|after) ((?:\d+(?:\.\d+)? ?[a-z]+,? ?(?:and )?){1,4})/iu.exec(
      text,
    )?.[1];
  if (duration === undefined) return undefined;
  const parts = [...duration.matchAll(/(\d+(?:\.\d+)?) ?([a-z])/giu)];
  const ms = parts.map(([, count, unit = ""]) => {
    return Number(count) * (UNITS_MS[unit.toLowerCase()] ?? Number.NaN);
  });
  return Math.ceil(nowMs + ms.reduce((sum, part) => sum + part, 0));
}
