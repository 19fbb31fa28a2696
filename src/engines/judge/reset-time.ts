import { clockTime, type SaidAt } from "./clock-words.ts";

const UNITS_MS: Readonly<Record<string, number>> = {
  ms: 1,
  s: 1_000,
  m: 60_000,
  h: 3_600_000,
  d: 86_400_000,
  w: 7 * 86_400_000,
};

/** The longest plausible limit of a provider; anything longer is ignored. */
const WAIT_MS_MAX = 32 * 86_400_000;

/**
 * When a limit ends, according to its message: `…|1718000000` (seconds since 1970), a time in ISO 8601, a clock
 * time such as "resets 8pm (Asia/Tokyo)", or a duration such as "try again in 3 days 2 hours". In milliseconds since
 * 1970, never before now; `undefined` if the message has no such time, or one that is past or implausible.
 */
export function resetTime(message: string, at: SaidAt): number | undefined {
  const text = message.slice(0, 2_000);
  const { nowMs } = at;
  const said = [epoch(text), iso(text), clockTime(text, at), span(text, nowMs)];
  // A time that is past may be that of the message itself.
  return said.find(
    (endMs) => endMs !== undefined && endMs >= nowMs && endMs <= nowMs + WAIT_MS_MAX,
  );
}

/** After a bar, or after a word such as `resetsAt` or `reset at`. */
const EPOCH = /(?:\||\bresets?[ _]?(?:at)?["']?[ :=]+)(\d{10})(?:\d{3})?(?!\d)/iu;

function epoch(text: string): number | undefined {
  const seconds = EPOCH.exec(text)?.[1];
  return seconds === undefined ? undefined : Number(seconds) * 1_000;
}

function iso(text: string): number | undefined {
  const time = /\b\d{4}-\d\d-\d\dT\d\d:\d\d(?::\d\d(?:\.\d{1,9})?)?(?:Z|[+-]\d\d:\d\d)/u.exec(text);
  return time === null ? undefined : Date.parse(time[0]);
}

/** A duration in up to four parts, or a number of seconds after `retry-after`. */
const SPAN =
  /\b(?:again|retry|resets?|wait|available)(?: again)?(?: (?:in|after|for))?(?: (?:about|approximately))? ((?:\d+(?:\.\d+)? ?[a-z]+,? ?(?:and )?){1,4})/iu;
const RETRY_AFTER = /\bretry[-_ ]after["']?[ :=]+["']?(\d+)(?![\d.]| ?[a-z])/iu;
const PART = /(\d+(?:\.\d+)?) ?(ms|[a-z])([a-z]?)/giu;

function span(text: string, nowMs: number): number | undefined {
  const seconds = RETRY_AFTER.exec(text)?.[1];
  if (seconds !== undefined) return nowMs + Number(seconds) * 1_000;
  const duration = SPAN.exec(text)?.[1];
  if (duration === undefined) return undefined;
  const parts = [...duration.matchAll(PART)].map(([, count, unit = "", next]) => {
    // Months have no fixed length.
    const isMonth = unit.toLowerCase() === "m" && next?.toLowerCase() === "o";
    const each = isMonth ? undefined : UNITS_MS[unit.toLowerCase()];
    return Number(count) * (each ?? Number.NaN);
  });
  const ms = parts.reduce((sum, part) => sum + part, 0);
  return Number.isNaN(ms) ? undefined : Math.ceil(nowMs + ms);
}
